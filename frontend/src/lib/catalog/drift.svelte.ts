import { type Bridge, sentence } from '../bridge/bridge';
import type { SetDrift, SetRow } from '../bridge/dto';

/** Drift is the change of a set since a person let it in, as it is looked at. */
export class Drift {
  shown = $state.raw<SetDrift | null>(null);
  accepting = $state(false);
  /** Why it could not be read or accepted; "" when it could. */
  words = $state('');

  constructor(
    private readonly bridge: Bridge,
    readonly set: SetRow,
  ) {}

  async read(): Promise<void> {
    try {
      this.shown = await this.bridge.setDrift(this.#ref);
      this.words = '';
    } catch (cause) {
      this.words = sentence(cause);
    }
  }

  /** Lets the set in as it is shown; true when that was done. */
  async accept(): Promise<boolean> {
    if (!this.shown || this.accepting) return false;
    this.accepting = true;
    try {
      await this.bridge.acceptSet({ ...this.#ref, fingerprint: this.shown.fingerprint });
      return true;
    } catch (cause) {
      // It may be another change by now: what is shown is what the next press accepts.
      const words = sentence(cause);
      await this.read();
      this.words = words;
      return false;
    } finally {
      this.accepting = false;
    }
  }

  get #ref() {
    return { source: this.set.source, name: this.set.name };
  }
}
