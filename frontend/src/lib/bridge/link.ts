import type { Link } from './bridge';
import type { Shell } from './shell';

/** Why the desk cannot be asked, what was kept and what to do; "" while it can be. */
export function linkWords(link: Link, kind: Shell['kind']): string {
  if (link === 'refused')
    return 'The desk does not know this page. Open the address that countersign serve printed last.';
  if (link !== 'down') return '';
  return kind === 'window'
    ? 'The desk is not running. What was stored is kept; close the window and start Countersign again.'
    : 'The desk is not running. What was stored is kept; start it again and open the address that it prints.';
}
