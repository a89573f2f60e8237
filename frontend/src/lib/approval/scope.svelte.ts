import { sentence } from '../bridge/bridge';
import type { Bridge } from '../bridge/bridge';
import type { ApprovalCard, ChoiceRef, ChoiceRow, MatchView, OfferRow } from '../bridge/dto';
import { isOpen } from './card';

/** For how long an answer allows more than this once. */
export type Life = 'session' | 'workspace';

/** How long nothing may have been typed before the desk is asked what a scope would match. */
export const askMs = 150;

/** A part of the call in the picker, with the scope that was chosen or written for it. */
export interface ScopeRow {
  offer: OfferRow;
  /** How many parts of the call are just this one. */
  times: number;
  open: boolean;
  on: boolean;
  value: string;
  /** What the scope would match; null while it is not known. */
  match: MatchView | null;
  /** Why that cannot be told, "" otherwise. */
  trouble: string;
}

/**
 * Scope is what an answer would allow for longer than this once: a row for each part of the
 * call, opened on the narrowest scope of each.
 */
export class Scope {
  life = $state<Life>('session');
  /** For how many days in a workspace; 0 for until it is taken back. */
  days = $state(0);
  rows = $state<ScopeRow[]>([]);
  /** The row whose matches are shown. */
  active = $state(0);

  chosen = $derived(this.rows.filter((row) => row.open && row.on));
  /** Why this cannot be allowed so, "" when it can. */
  wrong = $derived.by(() => {
    if (this.chosen.length === 0) return 'Choose at least one part.';
    const short = this.chosen.find((row) => !row.offer.lives.includes(this.life));
    if (short) return 'This can only be allowed for the session.';
    return this.chosen.map(refusedOf).find((words) => words) ?? '';
  });

  /** The same in short, where the row says all of it. */
  wrongShort = $derived(this.chosen.some((row) => refusedOf(row)) ? 'A scope cannot be allowed as it is.' : this.wrong);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(
    private readonly bridge: Bridge,
    private readonly card: ApprovalCard,
    life: Life,
  ) {
    this.life = life;
    this.rows = rowsOf(card.offers);
    this.active = Math.max(
      0,
      this.rows.findIndex((row) => row.open),
    );
    void this.#ask();
  }

  /** Whether every part lives so long. */
  lives(life: Life): boolean {
    return this.card.offers.some((offer) => isOpen(offer) && offer.lives.includes(life));
  }

  setLife(life: Life): void {
    if (life === this.life) return;
    this.life = life;
    for (const row of this.rows) row.match = null;
    void this.#ask();
  }

  /** Shows what the row would match. */
  look(index: number): void {
    if (index === this.active || !this.rows[index]?.open) return;
    this.active = index;
    if (!this.rows[index]?.match) void this.#ask();
  }

  /** Chooses a part of the call to be remembered, or not. */
  toggle(index: number): void {
    const row = this.rows[index];
    if (row?.open) row.on = !row.on;
  }

  /** Takes what was written as the scope of a row. */
  write(index: number, value: string): void {
    const row = this.rows[index];
    if (!row || value === row.value) return;
    row.value = value;
    row.match = null;
    this.active = index;
    clearTimeout(this.#timer);
    this.#asked++;
    this.#timer = setTimeout(() => void this.#ask(), askMs);
  }

  /** Takes the next wider or narrower of what is offered. */
  step(index: number, by: 1 | -1): void {
    const row = this.rows[index];
    const to = row && row.offer.choices[stepped(row, by)];
    if (to) this.write(index, to.value);
  }

  /** What an answer sends. */
  get refs(): ChoiceRef[] {
    return this.chosen.map((row) => ({ kind: kindOf(row), value: clean(row) }));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  async #ask(): Promise<void> {
    const row = this.rows[this.active];
    if (!row?.open) return;
    const asked = ++this.#asked;
    try {
      const match = await this.bridge.wouldMatch({
        id: this.card.row.id,
        life: this.life,
        kind: kindOf(row),
        value: clean(row),
      });
      if (asked !== this.#asked) return;
      row.match = match;
      row.trouble = '';
    } catch (cause) {
      if (asked === this.#asked) row.trouble = sentence(cause);
    }
  }
}

/** Where the wider or narrower scope stands among those that are offered; -1 for none. */
export function stepped({ offer, value }: ScopeRow, by: 1 | -1): number {
  const at = offer.choices.findIndex((one) => one.value === value);
  // What was written by hand is left for the narrowest.
  if (at < 0) return by < 0 ? 0 : -1;
  const to = at + by;
  return to < offer.choices.length ? to : -1;
}

/** The offered scope that the row has, undefined for one that was written. */
export function choiceOf({ offer, value }: ScopeRow): ChoiceRow | undefined {
  return offer.choices.find((one) => one.value === value);
}

/** Why the row's scope cannot be allowed, or not yet; "" when it can. */
export function refusedOf(row: ScopeRow): string {
  if (row.trouble) return row.trouble;
  if (row.match) return row.match.refused;
  return choiceOf(row) ? '' : 'Looking at what this would match.';
}

function clean(row: ScopeRow): string {
  return row.value.trim();
}

/** What kind of scope is meant: a path that is not the file's own is that of a folder. */
function kindOf(row: ScopeRow): string {
  const { choices } = row.offer;
  const same = choices.find((one) => one.value === clean(row));
  if (same) return same.kind;
  return choices.some((one) => one.kind === 'folder') ? 'folder' : (choices[0]?.kind ?? '');
}

/** A row for each part of the call; parts that are just alike share one. */
function rowsOf(offers: OfferRow[]): ScopeRow[] {
  const rows = new Map<string, ScopeRow>();
  for (const offer of offers) {
    const key = JSON.stringify([offer.text, offer.why, offer.covered, offer.choices.map((one) => one.key)]);
    const same = rows.get(key);
    if (same) same.times++;
    else {
      const value = offer.choices[0]?.value ?? '';
      rows.set(key, { offer, times: 1, open: isOpen(offer), on: isOpen(offer), value, match: null, trouble: '' });
    }
  }
  // What is to be chosen comes first.
  return [...rows.values()].toSorted((a, b) => Number(b.open) - Number(a.open));
}
