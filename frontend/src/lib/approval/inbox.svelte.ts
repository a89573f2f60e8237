import { MediaQuery } from 'svelte/reactivity';

import { BridgeError, lostCode, sentence } from '../bridge/bridge';
import type {
  AnswerRequest,
  AnswerResult,
  ApprovalCard,
  ApprovalRow,
  Event,
  Revealed,
  TrustQuestion,
} from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { share } from '../bridge/share';
import { type Choice, choiceOf } from '../diff/choice.svelte';
import { Ahead } from './ahead';
import { Batch } from './batch.svelte';
import { mayGrant, noneKept, partialOnce, sameSubstance, shownDiffs } from './card';
import { type Done, doneOf, outcomeWords } from './done';
import type { Editor } from './editor.svelte';
import { Editors } from './editors.svelte';
import { callKey, entriesOf, type Entry, isLeft, neighbour, successor } from './entries';
import { blocksIn, blocksToSee, seenNames } from './evidence';
import { Guard } from './guard.svelte';
import { unplain } from './honest';
import { type Life, Scope } from './scope.svelte';

/** What is on the right: a call's card, a trust question, or nothing. */
export type Shown =
  { kind: 'call'; key: string; card: ApprovalCard } | { kind: 'trust'; key: string; question: TrustQuestion };

/** What an answer says. */
export type Resolution = 'allow_once' | 'allow_session' | 'allow_workspace' | 'deny';

/** What has grown out of the dock. */
export type Panel = '' | 'scope' | 'words' | 'edit';

/** Inbox is what waits for a person, which of it is open, and what became of the last answer. */
export class Inbox {
  readonly guard = new Guard();
  /** The calls that are to be answered together. */
  readonly batch = new Batch(this);
  entries = $derived.by<Entry[]>(() => (this.live.snapshot ? entriesOf(this.live.snapshot) : []));
  /** How many somebody waits for, and of how many the caller left. */
  waiting = $derived(this.entries.filter((entry) => !isLeft(entry)).length);
  left = $derived(this.entries.length - this.waiting);
  selected = $state('');
  shown = $state.raw<Shown | null>(null);
  panel = $state<Panel>('');
  /** What an answer would allow for longer, while the panel for it is open. */
  scope = $state.raw<Scope | null>(null);
  /** Which changes of the open card are kept; null where none may be left out. */
  choice = $state.raw<Choice | null>(null);
  /** The open call as it is drawn: as it is kept, or with what was revealed. */
  drawn = $derived.by(() => {
    if (this.shown?.kind !== 'call') return null;
    return this.revealed ? { ...this.shown.card, ...this.revealed } : this.shown.card;
  });
  /** The ids of the blocks of the open card that were in view to their end. */
  #ended = $state.raw<ReadonlySet<string>>(new Set());
  /** The blocks of the open card that were, by name: of several that share one, all. */
  seen = $derived(this.drawn ? seenNames(blocksIn(this.drawn), this.#ended) : []);
  /** Those that must be and were not yet: until then nothing is allowed. */
  unseen = $derived.by(() => {
    if (this.shown?.kind !== 'call' || this.shown.card.row.status !== 'pending') return [];
    return blocksToSee(this.shown.card).filter((block) => !this.seen.includes(block));
  });
  /** What the open card hides, while it is revealed: it goes with the card, and nothing keeps it. */
  revealed = $state.raw<Revealed | null>(null);
  /** Something hidden stands in a command or a path of the open card: until it was revealed nothing is allowed. */
  veiled = $derived(
    this.shown?.kind === 'call' &&
      this.shown.card.row.status === 'pending' &&
      this.shown.card.mustReveal &&
      !this.revealed,
  );
  #low = new MediaQuery('max-height: 679px', false);
  /** How many reasons stand on a card of the size of now before they are opened, and whether they were. */
  mostReasons = $derived(this.#low.current ? 1 : 3);
  opened = $state(false);
  /** What of the open card is not plainly shown. While one of it was not come to, nothing is allowed for longer. */
  unplain = $derived.by(() => {
    if (!this.drawn) return [];
    const { seen, opened } = this;
    const folded = Math.max(0, this.drawn.why.length - this.mostReasons);
    return unplain(this.drawn, { seen, revealed: this.revealed !== null, folded, opened });
  });
  /** All of the open card was shown. */
  whole = $derived(this.unseen.length === 0 && this.unplain.every((one) => one.seen));
  sending = $state(false);
  /** Something about the last answer or reading that the person must know; "" for nothing. */
  trouble = $state('');
  /** What was just done, for a moment. */
  done = $state.raw<Done | null>(null);
  /** A key was pressed that this card does not take, and why. */
  hint = $state('');
  /** The open card does not belong to the selected row yet, so nothing can be answered. */
  turning = $derived(this.shown?.key !== this.selected);

  readonly #editors: Editors;
  #readings = 0;
  /** The open card is being compared with what it shows: that is waited for, be it slow. */
  #looking = false;
  /** The trouble of the reading that failed last: it is over once one succeeds. */
  #unread = '';
  #ahead = new Ahead((id) => this.live.bridge.approval(id));
  /** The row of the open card and the epoch as they were when the card was read last. */
  #row: ApprovalRow | null = null;
  #epoch = 0;
  /** The call that was allowed last, until its end is known. */
  #allowed: { invocationId: string; approvalId: string; done: Done } | null = null;

  constructor(readonly live: Live) {
    this.#editors = new Editors(live.bridge);
  }

  /** The arguments of the open card while they are changed; what was written stays when the panel is closed. */
  get editor(): Editor | null {
    return this.#editors.current;
  }

  /** Follows the desk; call it inside an effect, with what it reads as dependencies. */
  follow(): void {
    void this.#learnEnd();
    this.batch.follow();
    this.#dropEditors();
    const entries = this.entries;
    if (!this.selected || (!this.shown && !entries.some((entry) => entry.key === this.selected))) {
      const first = entries[0];
      if (first) void this.#turn(first.key);
      return;
    }
    const entry = entries.find((one) => one.key === this.selected);
    if (entry?.kind === 'trust') this.#show({ kind: 'trust', key: entry.key, question: entry.question });
    else if (this.selected.startsWith('call:')) {
      // What the list says of the call changes with the card, so an equal row needs no reading.
      const row = entry?.row ?? null;
      if (row !== this.#row || row === null || this.live.epoch !== this.#epoch) void this.#read(this.selected);
      this.#row = row;
      this.#epoch = this.live.epoch;
    } else if (!entry) {
      this.#leave();
      if (entries[0]) void this.#turn(entries[0].key);
    }
  }

  /** Reads the open card again, since a file that it shows can change without a hint. */
  look(): void {
    const { shown } = this;
    if (shown?.kind !== 'call' || shown.card.row.status !== 'pending') return;
    if (this.live.link === 'up' && !this.sending && !this.turning && !this.#looking) void this.#look(shown.key);
  }

  async #look(key: string): Promise<void> {
    this.#looking = true;
    await this.#read(key);
    this.#looking = false;
  }

  /** Reads the open card again when a hint is about it, and that of the first call while nothing is open. */
  hinted(events: Event[]): void {
    void this.#learnEnd();
    this.batch.hinted(events);
    this.#ahead.drop();
    const asked = this.selected ? undefined : events.find((event) => event.type === 'approval.requested');
    if (asked) this.live.showWith(this.#ahead.begin(asked.ref));
    if (events.some((event) => this.selected === callKey(event.ref))) void this.#read(this.selected);
  }

  /** Opens an entry for the person, who is done with what was said last. Its card takes no answer for the quiet period. */
  async open(key: string): Promise<void> {
    if (!key || (key === this.selected && !this.turning)) return;
    this.done = null;
    await this.#turn(key);
  }

  async #turn(key: string): Promise<void> {
    this.selected = key;
    this.hide();
    this.trouble = '';
    this.hint = '';
    const entry = this.entries.find((one) => one.key === key);
    if (entry?.kind === 'trust') this.#show({ kind: 'trust', key, question: entry.question });
    else await this.#read(key);
  }

  step(by: number): void {
    void this.open(neighbour(this.entries, this.selected, by));
  }

  /** Whether an answer would count now, apart from the quiet period. */
  get ready(): boolean {
    if (this.sending || this.turning || this.live.link !== 'up') return false;
    return this.shown?.kind === 'trust' || this.shown?.card.row.status === 'pending';
  }

  /** Notes that a block of the open card, told by its id, was in view to its end. */
  saw(block: string): void {
    if (!this.#ended.has(block)) this.#ended = new Set([...this.#ended, block]);
  }

  /** Whether it was. */
  hasSeen(block: string): boolean {
    return this.#ended.has(block);
  }

  /** Keeps a change of the open card, or leaves it out. */
  flip(file: number, change: number): void {
    if (!this.choice || this.sending || this.turning) return;
    this.choice.flip(file, change);
    // What would be allowed is another thing now.
    this.guard.arm();
    this.hint = '';
    if (!this.choice.partial || this.panel !== 'scope') return;
    this.panel = '';
    this.hint = partialOnce;
  }

  /** Reveals what the open card hides, on this card alone, or hides it again. */
  async reveal(): Promise<void> {
    const shown = this.shown;
    if (shown?.kind !== 'call' || shown.card.row.status !== 'pending' || !shown.card.hidden.length) return;
    if (this.revealed) return this.#hideAgain();
    try {
      const { row, hash } = shown.card;
      const revealed = await this.live.bridge.reveal({ id: row.id, hash });
      if (!this.shown || !sameShown(this.shown, shown) || this.turning) return;
      // What was seen of it before is not what stands there now.
      this.#ended = new Set();
      this.revealed = revealed;
      this.guard.arm();
    } catch (cause) {
      if (this.shown === shown) this.trouble = sentence(cause);
    }
  }

  /** Hides again what was revealed, here and in the arguments that nobody changed. */
  hide(): void {
    this.revealed = null;
    this.#editors.forgetRevealed();
    this.#dropEditors();
    if (this.panel === 'edit' && !this.editor) this.panel = '';
  }

  /** The same on a card that stays open: arguments that are open stay so, without what was hidden. */
  #hideAgain(): void {
    const writing = this.panel === 'edit';
    this.hide();
    if (writing && this.panel === '') this.openEditor();
  }

  /** Drops what was written of calls that are gone from the list, but for the open one: it is there to be copied. */
  #dropEditors(): void {
    if (!this.live.snapshot) return;
    const kept = this.entries.flatMap((entry) => (entry.kind === 'call' ? [entry.row.id] : []));
    const open = this.selected.startsWith('call:') ? [this.selected.slice('call:'.length)] : [];
    this.#editors.keepOnly(new Set([...kept, ...open]));
  }

  /** Opens the picker of what else is to be allowed, or sets for how long. */
  openScope(life: Life): void {
    if (this.shown?.kind !== 'call' || !mayGrant(this.shown.card) || this.veiled || !this.whole) return;
    if (this.choice?.partial) {
      this.hint = partialOnce;
      return;
    }
    if (this.panel === 'scope' && this.scope) {
      if (this.scope.lives(life)) this.scope.setLife(life);
      return;
    }
    this.scope = new Scope(this.live.bridge, this.shown.card, life);
    if (!this.scope.lives(life)) this.scope.setLife('session');
    this.panel = 'scope';
  }

  /** Opens the arguments of the open card to be changed, as they were left. */
  openEditor(): void {
    if (this.shown?.kind !== 'call' || this.shown.card.row.status !== 'pending') return;
    const editor = this.#editors.open(this.shown.card);
    this.panel = 'edit';
    // What the card shows already is changed as it is.
    if (!editor.form) void editor.read(this.revealed !== null);
  }

  /** Has the open card show what was written. That is no answer: the card that comes asks for one. */
  async change(): Promise<void> {
    const { shown, editor } = this;
    if (shown?.kind !== 'call' || !editor || this.live.link !== 'up') return;
    const result = await editor.send();
    if (!result || this.editor !== editor || this.selected !== shown.key) return;
    if (result.outcome === 'changed') {
      this.panel = '';
      this.#editors.done(editor);
      this.#show({ kind: 'call', key: shown.key, card: result.card });
      await this.live.refresh();
    } else if (result.outcome !== 'refused') await this.#read(shown.key);
  }

  /** Allows the open card as it stands: with what the open picker says, else this once. */
  async allow(): Promise<void> {
    if (this.panel !== 'scope' || !this.scope) return this.answer('allow_once');
    // What is wrong stands beside the button.
    if (!this.scope.wrong) await this.answer(this.scope.life === 'session' ? 'allow_session' : 'allow_workspace');
  }

  /** Sends an answer to the open card, bound to the hash that it showed. */
  async answer(resolution: Resolution, words = '', stop = false): Promise<void> {
    const shown = this.shown;
    if (!this.ready || !this.guard.open || shown?.kind !== 'call') return;
    if (resolution !== 'deny' && (this.unseen.length || this.veiled)) return;
    if (resolution !== 'deny' && this.choice?.kept === 0) {
      this.hint = noneKept;
      return;
    }
    const lasting = resolution === 'allow_session' || resolution === 'allow_workspace';
    if (lasting && !this.whole) return;
    const chosen = lasting ? (this.scope?.refs ?? []) : [];
    const days = resolution === 'allow_workspace' ? (this.scope?.days ?? 0) : 0;
    const request: AnswerRequest = {
      id: shown.card.row.id,
      resolution,
      chosen,
      days,
      words,
      keep: resolution === 'allow_once' ? (this.choice?.refs ?? []) : [],
      hash: shown.card.hash,
      shown: shown.card.shown,
      stop,
    };
    await this.#send(shown.key, async () => this.#settle(shown, request, await this.live.bridge.answer(request)));
  }

  async answerTrust(answer: 'yes' | 'no' | 'later'): Promise<void> {
    const shown = this.shown;
    if (!this.ready || !this.guard.open || shown?.kind !== 'trust') return;
    const said = { yes: 'Trusted.', no: 'Not trusted.', later: 'Put off. Its calls keep waiting.' };
    await this.#send(shown.key, async () => {
      await this.live.bridge.answerTrust({ root: shown.question.root, answer });
      this.done = {
        verb: 'Folder',
        subject: shown.question.root,
        file: true,
        marker: '',
        words: said[answer],
        bad: false,
      };
      return answer !== 'later' || this.entries.length > 1;
    });
  }

  /** The cards of the open one's session whose caller left, the open one among them. */
  get leftTogether(): number {
    const { shown } = this;
    if (shown?.kind !== 'call') return 0;
    const { sessionId } = shown.card.row;
    return this.entries.filter((one) => one.kind === 'call' && isLeft(one) && one.row.sessionId === sessionId).length;
  }

  /** Ends those cards. Nothing of them runs. */
  async dismissLeft(): Promise<void> {
    const { shown } = this;
    if (!this.ready || !this.guard.open || shown?.kind !== 'call' || !shown.card.row.callerLeft) return;
    const { sessionId, caller } = shown.card.row;
    const count = this.leftTogether;
    await this.#send(shown.key, async () => {
      await this.live.bridge.dismissLeft(sessionId);
      const words = `${count === 1 ? '1 card' : `${count} cards`} dismissed. Nothing ran.`;
      this.done = { verb: 'Left by', subject: caller, file: false, marker: '', words, bad: false };
      return true;
    });
  }

  /** Goes on from a card that has ended. */
  next(): void {
    const key = successor(this.entries, this.entries, this.selected);
    if (key) void this.open(key);
    else this.#leave();
  }

  async #send(key: string, act: () => Promise<boolean>): Promise<void> {
    const before = this.entries;
    this.sending = true;
    this.trouble = '';
    this.hint = '';
    try {
      const goOn = await act();
      await this.live.refresh();
      if (!goOn) return;
      this.panel = '';
      const to = successor(before, this.entries, key);
      if (to) await this.#turn(to);
      else this.#leave();
    } catch (cause) {
      this.trouble = sentence(cause);
      if (!(cause instanceof BridgeError && cause.code === lostCode)) void this.live.refresh();
    } finally {
      this.sending = false;
    }
  }

  /** Says what became of the answer; true when the card is done with. */
  #settle(shown: { key: string; card: ApprovalCard }, { resolution }: AnswerRequest, result: AnswerResult): boolean {
    if (result.outcome === 'done' || result.outcome === 'same' || result.outcome === 'kept') {
      this.done = doneOf(result);
      const { invocationId, id: approvalId } = shown.card.row;
      const allowed = result.outcome === 'done' && resolution !== 'deny';
      this.#allowed = allowed ? { invocationId, approvalId, done: this.done } : null;
      return true;
    }
    if (result.card?.row.id) this.#show({ kind: 'call', key: shown.key, card: share(shown.card, result.card) });
    // What was refused can be mended where it was chosen.
    if (result.outcome !== 'refused') this.panel = '';
    this.trouble = result.words || 'This card can no longer be answered.';
    return false;
  }

  /** Says so when the call that was allowed last did not run well. */
  async #learnEnd(): Promise<void> {
    const allowed = this.#allowed;
    if (!allowed || this.live.link !== 'up') return;
    try {
      const words = outcomeWords(await this.live.bridge.call(allowed.invocationId), allowed.approvalId);
      if (words === null || this.#allowed !== allowed) return;
      this.#allowed = null;
      if (words) this.done = { ...allowed.done, words, bad: true };
    } catch {
      // The call cannot be read now; the next hint asks again.
    }
  }

  async #read(key: string): Promise<void> {
    const reading = ++this.#readings;
    try {
      const card = await this.#ahead.take(key.slice('call:'.length));
      if (reading !== this.#readings || key !== this.selected) return;
      const before = this.shown?.kind === 'call' && this.shown.key === key ? this.shown.card : card;
      this.#show({ kind: 'call', key, card: share(before, card) });
      if (this.trouble === this.#unread) this.trouble = '';
    } catch (cause) {
      if (reading === this.#readings && key === this.selected) this.trouble = this.#unread = sentence(cause);
    }
  }

  #show(shown: Shown): void {
    if (shown.kind === 'call' && this.shown?.kind === 'call' && shown.card === this.shown.card) return;
    if (!this.shown || !sameShown(this.shown, shown)) {
      this.guard.arm();
      // What is being written stays in view, whatever becomes of its card.
      if (this.panel !== 'edit' || this.shown?.key !== shown.key) this.panel = '';
      this.scope?.stop();
      this.scope = null;
      this.#ended = new Set();
      this.hide();
      this.opened = false;
      this.hint = '';
      this.choice = choiceWith(shown);
    }
    this.shown = shown;
  }

  #leave(): void {
    this.selected = '';
    this.hide();
    this.shown = null;
    this.panel = '';
    this.trouble = '';
  }
}

/** The choice that a card offers while it waits. */
function choiceWith(shown: Shown): Choice | null {
  if (shown.kind !== 'call' || shown.card.row.status !== 'pending' || shown.card.preview !== 'diff') return null;
  return choiceOf(shownDiffs(shown.card));
}

/** Whether an answer would be about the same thing. */
function sameShown(before: Shown, now: Shown): boolean {
  if (before.kind === 'call') return now.kind === 'call' && sameSubstance(before.card, now.card);
  return now.kind === 'trust' && asksOf(before.question) === asksOf(now.question);
}

const asksOf = ({ root, opens, shut }: TrustQuestion) => JSON.stringify([root, opens, shut]);
