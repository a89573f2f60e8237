import { getContext, setContext } from 'svelte';
import type { OutputRef } from './dto';

/** What the end of the window would end. */
export interface Stake {
  /** How many calls wait for the person. */
  waiting: number;
  /** How many processes run in the background. */
  processes: number;
}

/**
 * What only the place that holds the page can do: a window of its own, or a
 * browser's tab.
 */
export interface Shell {
  readonly kind: 'window' | 'browser';
  /** Puts text on the clipboard; rejects where that may not be done. */
  copy(text: string): Promise<void>;
  /** Saves a text of the output store; answers where, "" when the person let it be or the browser does it. */
  save(ref: OutputRef): Promise<string>;
  /** Shows the folder of such a text; absent where the page cannot open folders. */
  openFolder?(ref: OutputRef): Promise<void>;
  /** Keeps the open view, so that the next start opens it. */
  remember(view: string): void;
  /** Calls back when the window would close and end something; returns the function that ends this. */
  onQuit(listener: (stake: Stake) => void): () => void;
  /**
   * Calls back with a request whose card is to be opened, "" for all that wait, since the person
   * clicked a notification about it; returns the function that ends this.
   */
  onOpen(listener: (request: string) => void): () => void;
  /** Answers that question: close the window, or keep it open. */
  quit(): void;
  stay(): void;
}

/** The browser: it keeps its own address, and closes its tabs without us. */
export function browserShell(): Shell {
  return {
    kind: 'browser',
    copy: (text) =>
      navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard')),
    save: async ({ sessionId, name }) => {
      const link = document.createElement('a');
      link.href = `/output?${new URLSearchParams({ session: sessionId, name }).toString()}`;
      link.download = name;
      link.click();
      return '';
    },
    remember: () => {},
    onQuit: () => () => {},
    onOpen: () => () => {},
    quit: () => {},
    stay: () => {},
  };
}

const key = Symbol('shell');

/** Hands the shell to every component below. */
export function provideShell(shell: Shell): void {
  setContext(key, shell);
}

/** The shell of this page; a browser's where nobody said. */
export function useShell(): Shell {
  return getContext<Shell | undefined>(key) ?? browserShell();
}
