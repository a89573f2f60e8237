import { sentence } from '../bridge/bridge';
import type { ApprovalCard, ApprovalRow, BatchResult, Event } from '../bridge/dto';
import { share } from '../bridge/share';
import { sameSubstance } from './card';
import { callKey } from './entries';
import { blocksIn } from './evidence';
import type { Inbox } from './inbox.svelte';
import { isPickable, kindOf, maxBatch, ranged, refusalOf, rowSubstance, toggled } from './picking';

/** A call because of which a batch was dropped. */
export interface Stop {
  row: ApprovalRow;
  words: string;
}

/** How many cards are read at a time, so that the desk answers others meanwhile. */
const atATime = 6;

/**
 * Batch is the calls that were selected to be answered together, and their review: each of them
 * in full, one below the other. It lasts as long as nothing about any of them changes; then it is
 * dropped whole, and says why. What comes new never joins it.
 */
export class Batch {
  /** The selected entries, in the order in which they were selected. */
  picked = $state.raw<readonly string[]>([]);
  /** The review is open, be it that its cards are still read. */
  open = $state(false);
  /** The cards under review, null until all of them were read. */
  cards = $state.raw<readonly ApprovalCard[] | null>(null);
  panel = $state<'' | 'words'>('');
  sending = $state(false);
  /** What was asked for that cannot be, and why; "" for nothing. */
  hint = $state('');
  /** Why nothing could be read or answered; "" for nothing. */
  trouble = $state('');
  /** Why the selection was dropped, by call; empty while nothing was dropped. */
  stops = $state.raw<readonly Stop[]>([]);
  /** What of the dropped selection could be reviewed anew. */
  rest = $state.raw<readonly string[]>([]);

  /** The blocks that were in view to their ends, by card and id. */
  #seen = $state.raw<ReadonlySet<string>>(new Set());
  #rows = new Map<string, string>();
  #anchor = '';
  #reading = 0;
  /** The cards that are being read again. */
  #looking: readonly ApprovalCard[] | null = null;
  /** The trouble of the reading that failed last: it is over once one succeeds. */
  #unread = '';

  /** The cards that were not in view to their ends yet: until then nothing is allowed. */
  unseen = $derived.by(() => (this.cards ?? []).filter((card) => !this.isSeen(card)));
  /** Whether the answer must be held: as for one card, where any of the calls is risky. */
  hold = $derived((this.cards ?? []).some((card) => card.hold));

  constructor(private readonly inbox: Inbox) {}

  toggle(key: string): void {
    const entry = this.inbox.entries.find((one) => one.key === key);
    const why = entry ? refusalOf(entry) : '';
    if (why) this.hint = why;
    else this.#pick(toggled(this.picked, key));
    this.#anchor = key;
  }

  /** Selects all from the entry that was selected last to this one. */
  range(key: string): void {
    this.#pick(ranged(this.inbox.entries, this.picked, this.#anchor || this.inbox.selected, key));
  }

  /** The entries of the kind of the one that was selected last. */
  get kind(): readonly string[] {
    const last = this.picked.at(-1) ?? this.inbox.selected;
    return kindOf(this.inbox.entries, last).map((entry) => entry.key);
  }

  pickKind(): void {
    this.#pick([...new Set([...this.picked, ...this.kind])]);
  }

  clear(): void {
    this.#pick([]);
  }

  #pick(keys: readonly string[]): void {
    this.#forget();
    const known = new Map(this.inbox.entries.filter(isPickable).map((entry) => [entry.key, entry.row]));
    const there = keys.filter((key) => known.has(key));
    if (there.length > maxBatch) this.hint = `${maxBatch} are selected: more are not answered together.`;
    this.picked = there.slice(0, maxBatch);
    this.#rows = new Map(this.picked.map((key) => [key, rowSubstance(known.get(key) as ApprovalRow)]));
  }

  /** Follows the inbox; call it inside an effect, with what it reads as dependencies. */
  follow(): void {
    if (this.picked.length === 0 || this.sending) return;
    const now = new Map(this.inbox.entries.map((entry) => [entry.key, entry]));
    const changed = this.picked.filter((key) => {
      const entry = now.get(key);
      return entry?.kind !== 'call' || rowSubstance(entry.row) !== this.#rows.get(key);
    });
    if (changed.length) void this.#drop(changed);
  }

  /** Reads the cards under review again when a hint is about one of them. */
  hinted(events: Event[]): void {
    if (this.cards && events.some((event) => this.picked.includes(callKey(event.ref)))) void this.look();
  }

  /** Reads the cards under review again, since a file that they show can change without a hint. */
  async look(): Promise<void> {
    const { cards } = this;
    if (!cards || this.sending || this.#looking === cards || this.inbox.live.link !== 'up') return;
    this.#looking = cards;
    try {
      const now = await this.#read(this.picked);
      if (this.cards !== cards || this.sending) return;
      const stops = cards.flatMap((card, i) => stopOf(card, now[i] as ApprovalCard));
      if (stops.length) return this.#end(stops);
      this.cards = share<readonly ApprovalCard[]>(cards, now);
      if (this.trouble === this.#unread) this.trouble = '';
    } catch (cause) {
      if (this.cards === cards) this.trouble = this.#unread = sentence(cause);
    } finally {
      if (this.#looking === cards) this.#looking = null;
    }
  }

  /** Opens the review of what is selected. Nothing counts until the person has been quiet for a moment. */
  async review(): Promise<void> {
    if (this.picked.length === 0) {
      this.hint = 'Nothing is selected. Select calls with their boxes, or in the list with Space and Shift ↓.';
      return;
    }
    this.#forget();
    this.open = true;
    this.inbox.guard.arm();
    const reading = ++this.#reading;
    try {
      const cards = await this.#read(this.picked);
      if (reading !== this.#reading || !this.open) return;
      const stops = cards.flatMap((card) => stopOf(card, card));
      if (stops.length) return this.#end(stops);
      this.cards = cards;
      this.inbox.guard.arm();
    } catch (cause) {
      if (reading === this.#reading) this.trouble = sentence(cause);
    }
  }

  /** Goes back to the card that was open; what is selected stays so. */
  close(): void {
    this.#forget();
    this.open = false;
    this.inbox.guard.arm();
  }

  /** Selects what is left of a dropped selection, and reviews it. */
  async reviewRest(): Promise<void> {
    this.#pick(this.rest);
    if (this.picked.length) await this.review();
    else this.close();
  }

  /** Notes that a block of a card was in view to its end. */
  saw(id: string, block: string): void {
    const key = `${id} ${block}`;
    if (!this.#seen.has(key)) this.#seen = new Set([...this.#seen, key]);
  }

  isSeen(card: ApprovalCard): boolean {
    return blocksIn(card).every((block) => this.#seen.has(`${card.row.id} ${block.id}`));
  }

  /** Whether an answer would count now, apart from the quiet period. */
  get ready(): boolean {
    return this.open && this.cards !== null && !this.sending && this.inbox.live.link === 'up';
  }

  /** Gives one answer to all of them, bound to the hashes that were shown. */
  async answer(resolution: 'allow_once' | 'deny', words = ''): Promise<void> {
    const { cards, inbox } = this;
    if (!this.ready || !cards || !inbox.guard.open) return;
    if (resolution !== 'deny' && this.unseen.length) return;
    const shown = cards.map((card) => ({
      id: card.row.id,
      hash: card.hash,
      shown: card.shown,
      seen: this.isSeen(card),
    }));
    this.sending = true;
    this.trouble = '';
    try {
      const result = await inbox.live.bridge.answerBatch({ cards: shown, resolution, words });
      if (!result.answered) return this.#end(stopsOf(result, cards), result.words);
      inbox.done = { verb: '', subject: '', file: false, marker: '', words: result.words, bad: false };
      this.#pick([]);
      this.close();
    } catch (cause) {
      this.trouble = sentence(cause);
    } finally {
      await inbox.live.refresh();
      this.sending = false;
    }
  }

  /** Why a selection is dropped of which some calls are gone from the list, or are others now. */
  async #drop(keys: readonly string[]): Promise<void> {
    const reading = ++this.#reading;
    const rows = new Map(
      this.inbox.entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.key, entry.row]] : [])),
    );
    const known = new Map((this.cards ?? []).map((card) => [callKey(card.row.id), card]));
    const rest = this.picked.filter((key) => !keys.includes(key));
    this.picked = [];
    this.cards = null;
    try {
      const now = await this.#read(keys);
      if (reading !== this.#reading) return;
      this.#end(
        now.map((card) => ({ row: card.row, words: card.ended || 'It has changed.' })),
        '',
        rest,
      );
    } catch {
      if (reading !== this.#reading) return;
      // What is not there any more cannot say how it ended.
      const gone = keys.flatMap((key) => known.get(key)?.row ?? rows.get(key) ?? []);
      this.#end(
        gone.map((row) => ({ row, words: 'It waits no more.' })),
        '',
        rest,
      );
    }
  }

  #end(stops: readonly Stop[], trouble = '', rest?: readonly string[]): void {
    const ended = stops.map((stop) => callKey(stop.row.id));
    this.rest = rest ?? this.picked.filter((key) => !ended.includes(key));
    this.stops = stops;
    this.picked = [];
    this.cards = null;
    this.panel = '';
    this.trouble = trouble;
    this.inbox.guard.arm();
  }

  /** Forgets what was seen and said of the review before. */
  #forget(): void {
    this.#reading++;
    this.cards = null;
    this.stops = [];
    this.rest = [];
    this.panel = '';
    this.hint = '';
    this.trouble = '';
    this.#seen = new Set();
  }

  async #read(keys: readonly string[]): Promise<ApprovalCard[]> {
    const out: ApprovalCard[] = [];
    for (let from = 0; from < keys.length; from += atATime) {
      const some = keys.slice(from, from + atATime).map((key) => key.slice('call:'.length));
      out.push(...(await Promise.all(some.map((id) => this.inbox.live.bridge.approval(id)))));
    }
    return out;
  }
}

/** What is in the way of a card that was shown as `before`, if anything. */
function stopOf(before: ApprovalCard, now: ApprovalCard): Stop[] {
  const { row } = now;
  const words =
    row.status !== 'pending'
      ? now.ended || 'It waits no more.'
      : row.alone || now.drift || (sameSubstance(before, now) ? '' : 'It has changed since it was shown.');
  return words ? [{ row, words }] : [];
}

function stopsOf({ stops }: BatchResult, cards: readonly ApprovalCard[]): Stop[] {
  return stops.flatMap(({ id, words }) => {
    const row = cards.find((card) => card.row.id === id)?.row;
    return row ? [{ row, words }] : [];
  });
}
