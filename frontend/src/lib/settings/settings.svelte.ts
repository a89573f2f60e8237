import { underWay } from '../approval/entries';
import { BridgeError, sentence } from '../bridge/bridge';
import type { Effect, RulesPatch, SettingRow, SettingsView, TrustRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { Ledger } from './ledger.svelte';
import { loosens } from './choices';
import { ProtectedPaths } from './paths.svelte';
import { Rehearsal } from './rehearsal.svelte';

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

/** Reads a text out of a setting's value, "" where it is none. */
export function textOf(row: SettingRow | undefined): string {
  try {
    const value: unknown = JSON.parse(row?.value ?? '""');
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

/** Settings changes what the desk decides by. A change applies from the next decision. */
export class Settings {
  trusts = $state.raw<TrustRow[] | null>(null);
  view = $state.raw<SettingsView | null>(null);
  trouble = $state('');
  /** What a change that waits to be saved would do, or one that only tightened has done. */
  rehearsal = $state.raw<Rehearsal | null>(null);
  readonly ledger: Ledger;
  readonly paths: ProtectedPaths;

  /** The change that was asked for last. Each begins when the one before it is done, whatever became of that. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly live: Live) {
    this.ledger = new Ledger(live);
    this.paths = new ProtectedPaths(live);
  }

  /** The row of one setting. */
  row(key: string): SettingRow | undefined {
    return this.view?.fields.find((one) => one.key === key);
  }

  /** Changes one setting or several; what the patch leaves out stays. What loosens is looked at first. */
  async set(patch: Partial<RulesPatch>): Promise<void> {
    const rules = { ...unchanged, ...patch };
    const decides = rules.preset || rules.catalog || rules.profile || rules.readOnly;
    if (decides) await this.propose(rules);
    else await this.#act(() => this.live.bridge.setRules(rules));
  }

  /**
   * Looks at what a change would decide otherwise. One that only tightens is saved at once, and so
   * is one that would let through nothing of what was looked at while no call waits; any other
   * waits for the person.
   */
  async propose(proposal: RulesPatch): Promise<void> {
    this.rehearsal?.stop();
    const rehearsal = new Rehearsal(this.live.bridge, proposal);
    this.rehearsal = rehearsal;
    let saving: Promise<void> | undefined;
    const save = () => (saving ??= this.#saveRehearsed(rehearsal));
    await rehearsal.run(() => {
      if (!rehearsal.loosens) void save();
    });
    if (this.rehearsal !== rehearsal) return saving;
    if (rehearsal.phase === 'failed' && !this.#mayLoosen(proposal)) {
      rehearsal.loosens = false;
      void save();
    }
    if (rehearsal.harmless && this.waiting === 0) void save();
    await saving;
    if (this.rehearsal === rehearsal && rehearsal.saved && rehearsal.flips.length === 0) this.rehearsal = null;
  }

  /** How many calls wait for a person now: a change that is saved judges them again. */
  get waiting(): number {
    return this.live.snapshot ? underWay(this.live.snapshot).waiting : 0;
  }

  /** Saves the change that waits for it. */
  async saveProposal(): Promise<void> {
    const rehearsal = this.rehearsal;
    if (!rehearsal?.mayLoosen) return;
    rehearsal.stop();
    await this.#saveRehearsed(rehearsal);
    if (this.rehearsal === rehearsal && rehearsal.saved) this.rehearsal = null;
  }

  /** Saves what was looked at. What could not be saved stays to be saved again. */
  async #saveRehearsed(rehearsal: Rehearsal): Promise<void> {
    rehearsal.saving = true;
    const failed = await this.#act(() => this.live.bridge.setRules(rehearsal.proposal));
    rehearsal.saved = failed === '';
    rehearsal.saving = false;
  }

  /** Leaves the settings as they are. */
  dropProposal(): void {
    this.rehearsal?.stop();
    this.rehearsal = null;
  }

  /** Whether a change may let something through, where the desk could not say: a lock can always be closed. */
  #mayLoosen(rules: RulesPatch): boolean {
    const desk = this.live.snapshot?.desk;
    if (!desk || rules.profile === 'desktop') return true;
    const changes = [
      rules.preset && loosens('preset', desk.preset, rules.preset),
      rules.catalog && loosens('catalog', desk.catalog, rules.catalog),
      rules.readOnly && loosens('lock', desk.readOnly ? 'on' : 'off', rules.readOnly),
    ];
    return changes.some(Boolean);
  }

  /** Gives a setting a value, as JSON text; "" is its default. Answers what was wrong with it, "" for nothing. */
  change(key: string, value: string): Promise<string> {
    return this.#change(key, () => value);
  }

  /** Changes a list from what it holds once the changes before are done. Answers as change does. */
  changeList(key: string, change: (list: string[]) => string[]): Promise<string> {
    return this.#change(key, () => JSON.stringify(change(listOf(this.row(key)))));
  }

  async #change(key: string, value: () => string): Promise<string> {
    let wrong = '';
    const failed = await this.#act(async () => {
      try {
        return await this.live.bridge.setSetting({ key, value: value() });
      } catch (cause) {
        if (!(cause instanceof BridgeError) || !(key in cause.fields)) throw cause;
        wrong = sentence(cause);
        return undefined;
      }
    });
    return wrong || failed;
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
    return this.live.onEvents((events) => {
      const came = new Set(events.map((event) => event.type));
      if (came.has('settings.changed')) void this.read();
      if (came.has('settings.changed')) void this.paths.read();
      if (came.has('trust.answered')) void this.readTrusts();
      this.ledger.hinted(events);
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

  /** Does something in its turn. Answers why it could not be done, "" when it was. */
  #act(act: () => Promise<Effect | void>): Promise<string> {
    this.trouble = '';
    const done = this.#last.then(() => this.#do(act));
    this.#last = done;
    return done;
  }

  async #do(act: () => Promise<Effect | void>): Promise<string> {
    let failed = '';
    try {
      this.live.did(await act());
      await this.live.refresh();
    } catch (cause) {
      failed = sentence(cause);
      this.trouble = failed;
    }
    // What was refused may have been refused for the file, which is another now.
    if (this.view) await this.read();
    return failed;
  }
}
