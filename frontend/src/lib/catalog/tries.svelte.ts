import { composed, type Draft, draftOf, faultOf } from '../approval/draft';
import { type Bridge, sentence } from '../bridge/bridge';
import type { CallDetail, Event, TryForm } from '../bridge/dto';
import type { Opened, Tab } from '../session/opened';

/** Try is the arguments of one tool as a person fills them in, and the last call made of them. */
export class Try implements Opened {
  form = $state.raw<TryForm | null>(null);
  drafts = $state<Draft[]>([]);
  sending = $state(false);
  /** Why the form could not be read or the call not made; "" for no reason. */
  words = $state('');
  /** The session of the calls that were made, "" before the first. */
  sessionId = $state('');
  /** What is wrong with each field that could not be read. */
  faults = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** The last call, once it is known. */
  detail = $state.raw<CallDetail | null>(null);
  detailTrouble = $state('');
  tab = $state<Tab>('');
  image = $state<number | null>(null);
  trouble = $state('');

  /** The call that was the last one before this. */
  #before: string | undefined;
  #waiting = false;

  constructor(
    private readonly bridge: Bridge,
    readonly tool: string,
  ) {}

  async read(): Promise<void> {
    if (this.form) return;
    try {
      this.form = await this.bridge.tryForm(this.tool);
      this.drafts = this.form.fields.map((field) => draftOf(field, field.given || field.required));
      this.words = '';
    } catch (cause) {
      this.words = sentence(cause);
    }
  }

  /** Makes the call. Nothing but what decides about every call lets it run. */
  async send(): Promise<void> {
    if (!this.form || this.sending) return;
    this.faults = new Map(
      this.drafts.map((one) => [one.field.name, faultOf(one)] as const).filter(([, words]) => words),
    );
    this.words = this.faults.size ? 'Some fields cannot be read yet.' : '';
    if (this.faults.size) return;
    this.sending = true;
    try {
      this.#before = await this.#last();
      this.fold();
      this.#waiting = true;
      this.sessionId = await this.bridge.tryTool({ tool: this.tool, arguments: composed(this.drafts) });
      await this.follow();
    } catch (cause) {
      this.words = sentence(cause);
    } finally {
      this.sending = false;
    }
  }

  /** Reads what became of the call. */
  async follow(): Promise<void> {
    if (!this.#waiting) return;
    try {
      const id = this.detail?.call.id ?? (await this.#last());
      if (!id || id === this.#before) return;
      this.detail = await this.bridge.call(id);
      this.detailTrouble = '';
      this.#waiting = this.detail.endedAt === '';
    } catch (cause) {
      this.detailTrouble = sentence(cause);
    }
  }

  /** Forgets the last call. What it did stays in its session. */
  fold(): void {
    this.detail = null;
    this.detailTrouble = '';
    this.trouble = '';
    this.tab = '';
    this.image = null;
    this.#waiting = false;
  }

  /** The call of this session that was made last. */
  async #last(): Promise<string | undefined> {
    if (!this.sessionId) return undefined;
    const { items } = await this.bridge.sessionPage({ sessionId: this.sessionId, where: 'before', cursor: '' });
    return items.findLast(({ call }) => call?.toolId === this.tool)?.call?.id;
  }
}

/** Tries are what a person filled in for each tool, as it was left. */
export class Tries {
  #all = new Map<string, Try>();

  constructor(private readonly bridge: Bridge) {}

  of(tool: string): Try {
    const one = this.#all.get(tool) ?? new Try(this.bridge, tool);
    this.#all.set(tool, one);
    return one;
  }

  /** Reads what became of the calls, for whoever did not hear of it. */
  follow(): void {
    for (const one of this.#all.values()) void one.follow();
  }

  /** Hears what happened in the sessions of the calls. */
  hinted(events: Event[]): void {
    for (const one of this.#all.values())
      if (one.sessionId && events.some(({ sessionId }) => sessionId === one.sessionId)) void one.follow();
  }
}
