import type { HiddenRow } from '../bridge/dto';

/** Says in words what is hidden from eyes: "2 passwords and 1 token". */
export function hiddenWords(rows: HiddenRow[]): string {
  const words = rows.map((row) => row.words);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
