import { BridgeError, sentence } from '../bridge/bridge';
import type { RulesPatch, SettingRow, SettingsView, TrustRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';

const unchanged: RulesPatch = { preset: '', catalog: '', profile: '', readOnly: '', theme: '' };

/** Reads a list of texts out of a setting's value. What is none reads as an empty one. */
export function listOf(row: SettingRow | undefined): string[] {
  try {
    const value: unknown = JSON.parse(row?.value ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Settings changes what the desk decides by. A change applies from the next decision. */
export class Settings {
  trusts = $state.raw<TrustRow[] | null>(null);
  view = $state.raw<SettingsView | null>(null);
  trouble = $state('');
  saving = $state(false);

  constructor(readonly live: Live) {}

  /** The row of one setting. */
  row(key: string): SettingRow | undefined {
    return this.view?.fields.find((one) => one.key === key);
  }

  /** Changes one setting or several; what the patch leaves out stays. */
  async set(patch: Partial<RulesPatch>): Promise<void> {
    await this.#act(() => this.live.bridge.setRules({ ...unchanged, ...patch }));
  }

  /** Gives a setting a value, as JSON text; "" is its default. Answers what was wrong with it, "" for nothing. */
  async change(key: string, value: string): Promise<string> {
    let wrong = '';
    await this.#act(async () => {
      try {
        await this.live.bridge.setSetting({ key, value });
      } catch (cause) {
        if (!(cause instanceof BridgeError) || !(key in cause.fields)) throw cause;
        wrong = sentence(cause);
      }
    });
    return wrong || this.trouble;
  }

  async read(): Promise<void> {
    try {
      this.view = await this.live.bridge.settings();
    } catch (cause) {
      this.trouble ||= sentence(cause);
    }
  }

  /** Follows the settings while the view is open; returns the function that stops it. */
  follow(): () => void {
    return this.live.onEvent((event) => {
      if (event.type === 'settings.changed' || event.type === 'approval.resolved') void this.read();
      else if (event.type === 'trust.answered') void this.readTrusts();
    });
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
      // What was refused may have been refused for the file, which is another now.
      if (this.view) await this.read();
      this.saving = false;
    }
  }
}
