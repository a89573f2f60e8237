import type { Bridge } from '../bridge/bridge';
import type { ApprovalCard } from '../bridge/dto';
import { Editor } from './editor.svelte';

/**
 * Editors are the arguments of cards as they were left while they were changed, each for the card
 * that had them. What a person typed stays as long as its call is listed; what only shows hidden
 * pieces goes as soon as the card is hidden again.
 */
export class Editors {
  /** The one that was opened last. */
  current = $state.raw<Editor | null>(null);

  #all = new Map<string, Editor>();

  constructor(private readonly bridge: Bridge) {}

  /** Opens the arguments of a card as they were left. */
  open({ row, hash }: ApprovalCard): Editor {
    const editor = this.#all.get(row.id + hash) ?? new Editor(this.bridge, row.id);
    this.#all.set(row.id + hash, editor);
    this.current = editor;
    return editor;
  }

  /** Forgets what was shown of hidden pieces where nobody changed it. */
  forgetRevealed(): void {
    this.#forget((editor) => editor.reveals && editor.untouched);
  }

  /** Forgets all that was written of calls but these. */
  keepOnly(ids: ReadonlySet<string>): void {
    this.#forget((editor) => !ids.has(editor.id));
  }

  /** Forgets an editor whose text the card shows by now. */
  done(editor: Editor): void {
    this.#forget((one) => one === editor);
  }

  #forget(gone: (editor: Editor) => boolean): void {
    for (const [key, editor] of this.#all) if (gone(editor)) this.#all.delete(key);
    if (this.current && gone(this.current)) this.current = null;
  }
}
