import { sentence } from '../bridge/bridge';
import type { Bridge } from '../bridge/bridge';
import type { ChangeForm, ChangeProblem, ChangeResult } from '../bridge/dto';
import { composed, type Draft, draftOf, draftsFrom, faultOf } from './draft';

/** What the arguments are written in: a field each, or all of them as JSON. */
export type Tab = 'form' | 'raw';

/**
 * Editor is the arguments of one card while a person changes them. What is written is never
 * thrown away: the card may end or change meanwhile, and the text stays to be copied.
 */
export class Editor {
  form = $state.raw<ChangeForm | null>(null);
  drafts = $state<Draft[]>([]);
  raw = $state('');
  tab = $state<Tab>('form');
  sending = $state(false);
  /** Why the last change was not made, "" for no reason. */
  words = $state('');
  problems = $state.raw<readonly ChangeProblem[]>([]);

  /** Hidden pieces were asked for, so the text holds them, or will once it was read. */
  reveals = false;

  /** The text as the card has it. */
  #first = '';

  constructor(
    private readonly bridge: Bridge,
    readonly id: string,
  ) {}

  /** Reads the arguments; with reveal, what is hidden of them too. */
  async read(reveal = false): Promise<void> {
    this.reveals = reveal;
    try {
      const form = await this.bridge.changeForm({ id: this.id, reveal });
      this.form = form;
      this.drafts = form.fields.map((field) => draftOf(field));
      this.raw = form.text;
      this.#first = composed(this.drafts);
      this.words = '';
      this.problems = [];
    } catch (cause) {
      this.words = sentence(cause);
    }
  }

  /** All arguments as they are written now. */
  get text(): string {
    return this.tab === 'raw' ? this.raw : composed(this.drafts);
  }

  /** Nobody changed anything yet. */
  get untouched(): boolean {
    if (!this.form) return true;
    return this.tab === 'raw' ? this.raw === this.form.text : this.text === this.#first;
  }

  /** Goes to the other way of writing, with what is written. */
  show(tab: Tab): void {
    if (tab === this.tab || !this.form) return;
    if (tab === 'raw') {
      if (!this.untouched) this.raw = composed(this.drafts);
      this.tab = tab;
      return;
    }
    const drafts = draftsFrom(this.form.fields, this.raw);
    if (!drafts) {
      this.words = 'The form can show this once it is a JSON object in which each name stands once.';
      return;
    }
    this.drafts = drafts;
    this.words = '';
    this.tab = tab;
  }

  /** What is wrong with a field, in words that complete a sentence about it. */
  wrong(name: string): string {
    return this.problems
      .filter(({ field }) => field === name || field.startsWith(`${name}.`))
      .map(({ field, words }) => (field === name ? words : `${field.slice(name.length + 1)} ${words}`))
      .join('; ');
  }

  /** The problems that are about no field of the form. */
  get others(): readonly ChangeProblem[] {
    const names = this.tab === 'form' ? this.drafts.filter(({ given }) => given).map(({ field }) => field.name) : [];
    return this.problems.filter(({ field }) => !names.some((name) => field === name || field.startsWith(`${name}.`)));
  }

  /** Sends the change; null when it was not sent, or what became of it is not known. */
  async send(): Promise<ChangeResult | null> {
    if (!this.form || this.sending) return null;
    this.problems =
      this.tab === 'raw'
        ? []
        : this.drafts.map((one) => ({ field: one.field.name, words: faultOf(one) })).filter(({ words }) => words);
    this.words = this.problems.length ? 'Some fields cannot be read yet.' : '';
    if (this.problems.length) return null;
    this.sending = true;
    try {
      const { hash, revealed } = this.form;
      const result = await this.bridge.changeArguments({ id: this.id, hash, arguments: this.text, revealed });
      this.words = result.words;
      this.problems = result.problems;
      return result;
    } catch (cause) {
      this.words = sentence(cause);
      return null;
    } finally {
      this.sending = false;
    }
  }
}
