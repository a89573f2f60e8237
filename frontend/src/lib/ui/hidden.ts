import type { HiddenRow } from '../bridge/dto';
import { joined } from './words';

/** Says in words what is hidden from eyes: "2 passwords and 1 token". */
export function hiddenWords(rows: HiddenRow[]): string {
  return joined(rows.map((row) => row.words));
}
