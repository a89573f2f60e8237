import type { CallDetail } from '../bridge/dto';

/** Which part of an opened call is shown; "" for the first that has content. */
export type Tab = '' | 'output' | 'diff' | 'found' | 'arguments' | 'decision';

/** A call that is open in a list of lines. */
export interface Opened {
  detail: CallDetail | null;
  detailTrouble: string;
  tab: Tab;
  /** Which of its images is shown in full; null for none. */
  image: number | null;
  /** Something that was asked for and could not be done; "" for nothing. */
  trouble: string;
  /** Folds it, and closes an image of it. */
  fold(): void;
}

/** Where the whole text of long messages comes from, and how much of each is shown. */
export interface Said {
  readonly said: ReadonlyMap<string, { text: string; shown: number }>;
  /** Shows a long message up to a number of characters. Rejects when it cannot be read. */
  sayMore(id: string, upTo: number): Promise<void>;
}
