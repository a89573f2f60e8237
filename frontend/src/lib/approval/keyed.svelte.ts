import type { ApprovalCard } from '../bridge/dto';
import { mayGrant, mayTell, noneKept, partialOnce, unseenWords } from './card';
import { stillWords } from './honest';
import type { Inbox } from './inbox.svelte';
import type { Life } from './scope.svelte';

/**
 * Keyed is what the keys of the open card do. A key that cannot do what it says answers nothing
 * and says why, since whoever pressed it believes that it counted. A method returns false where
 * the key means nothing here and is left to others.
 */
export class Keyed {
  /** What the agent is to be told with a denial, and whether its turn ends as well. */
  written = $state('');
  stop = $state(false);

  constructor(
    private readonly inboxOf: () => Inbox,
    private readonly cardOf: () => ApprovalCard,
    /** Whether there is a turn that can be stopped. */
    private readonly mayStop: () => boolean,
  ) {}

  /** Forgets what was written for another card. */
  forget(): void {
    this.written = '';
    this.stop = false;
  }

  /** An answer, or what leads to one: during the quiet period the key is not kept for later, it is gone. */
  answers(act: () => boolean | void): boolean | void {
    if (!this.#inbox.guard.open || !this.#isPending || this.#isWritten) return false;
    return act();
  }

  once(): boolean | void {
    const inbox = this.#inbox;
    if (inbox.panel !== '') return false;
    if (this.#isUnseen()) return;
    if (inbox.choice?.kept === 0) inbox.hint = noneKept;
    else if (this.#card.hold) inbox.hint = 'This call is risky: hold the button for 0.7 s, or press Ctrl+Enter.';
    else inbox.guard.take('once', () => void inbox.answer('allow_once'));
  }

  scope(life: Life): boolean | void {
    const [inbox, card] = [this.#inbox, this.#card];
    if (!mayGrant(card)) inbox.hint = card.noGrant;
    else if (inbox.choice?.partial) inbox.hint = partialOnce;
    else if (this.#isUnseen()) return;
    else if (!inbox.whole)
      inbox.hint = `Not all of it was shown yet: ${stillWords(inbox.unplain)}. It can be allowed for longer once it was.`;
    else inbox.openScope(life);
  }

  deny(): void {
    this.#inbox.guard.take('deny', () => void this.#inbox.answer('deny'));
  }

  denyAndStop(): void {
    if (this.mayStop()) this.#inbox.guard.take('stop', () => void this.#inbox.answer('deny', '', true));
    else this.#inbox.hint = 'There is no turn to stop here. Press X to deny the call.';
  }

  /** Changing the arguments answers nothing, so it begins at once, on a new card too. */
  edit(): boolean | void {
    if (!this.#isPending || this.#isWritten) return false;
    this.#inbox.openEditor();
  }

  /** Writing down why answers nothing either. */
  words(): boolean | void {
    if (!this.#isPending || this.#isWritten) return false;
    this.#inbox.panel = 'words';
  }

  /** Allows a risky call, or confirms what is open in the dock. */
  confirm(): void {
    const [inbox, card] = [this.#inbox, this.#card];
    if (!this.#isPending) return;
    if (inbox.panel === 'edit') {
      void inbox.change();
      return;
    }
    if (!inbox.guard.open || !inbox.ready)
      inbox.hint = 'The card was still new, so that key was not taken. Look, and press again.';
    else if (inbox.panel === 'words') {
      if (mayTell(this.written)) void inbox.answer('deny', this.written, this.stop);
    } else if (this.#isUnseen()) return;
    else if (inbox.panel === 'scope' || card.hold) void inbox.allow();
    else
      inbox.hint = `Nothing was confirmed. Press A to allow once${mayGrant(card) ? ', or S to allow for this session first' : ''}.`;
  }

  get #inbox(): Inbox {
    return this.inboxOf();
  }

  get #card(): ApprovalCard {
    return this.cardOf();
  }

  get #isPending(): boolean {
    return this.#card.row.status === 'pending';
  }

  /** Words or arguments are being written, so no key beside a field answers. */
  get #isWritten(): boolean {
    return this.#inbox.panel === 'words' || this.#inbox.panel === 'edit';
  }

  /** Says so when not all was in view that must be before anything is allowed. */
  #isUnseen(): boolean {
    const inbox = this.#inbox;
    if (inbox.veiled) {
      inbox.hint = 'A part of the command or of a path is hidden. Press R to reveal it here; it can be allowed then.';
      return true;
    }
    if (inbox.unseen.length === 0) return false;
    inbox.hint = `${unseenWords(inbox.unseen)} Press M to go there; it can be allowed once you have.`;
    return true;
  }
}
