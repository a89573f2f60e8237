import { sentence } from '../bridge/bridge';
import type { RulesPatch, TrustRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';

const unchanged: RulesPatch = { preset: '', catalog: '', readOnly: '', theme: '' };

/** Settings changes what the desk decides by. A change applies from the next decision. */
export class Settings {
  trusts = $state.raw<TrustRow[] | null>(null);
  trouble = $state('');
  saving = $state(false);

  constructor(readonly live: Live) {}

  /** Changes one setting or several; what the patch leaves out stays. */
  async set(patch: Partial<RulesPatch>): Promise<void> {
    await this.#act(() => this.live.bridge.setRules({ ...unchanged, ...patch }));
  }

  async readTrusts(): Promise<void> {
    try {
      this.trusts = await this.live.bridge.trusts();
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  /** Takes a trust answer back: the question is asked again at the next change. */
  async forget(root: string): Promise<void> {
    await this.#act(() => this.live.bridge.forgetTrust(root));
    await this.readTrusts();
  }

  async #act(act: () => Promise<unknown>): Promise<void> {
    this.saving = true;
    this.trouble = '';
    try {
      await act();
      await this.live.refresh();
    } catch (cause) {
      this.trouble = sentence(cause);
    } finally {
      this.saving = false;
    }
  }
}
