import type { GrantRow } from '../bridge/dto';
import { ago, exact, until } from '../ui/time';

/** When a grant ends or ended, in words, and the exact time for a title ("" where there is none). */
export function endWords(row: GrantRow, now: number): { words: string; exact: string } {
  if (row.state === 'dead')
    return row.endedAt
      ? { words: `Ended ${ago(row.endedAt, now)}`, exact: exact(row.endedAt) }
      : {
          words:
            row.expiresAt && until(row.expiresAt, now) === 'now'
              ? `Ended ${ago(row.expiresAt, now)}`
              : 'Never counts again',
          exact: exact(row.expiresAt),
        };
  if (row.life === 'session') return { words: 'Ends with its session', exact: '' };
  const expires = Date.parse(row.expiresAt);
  const swept = Date.parse(row.sweptAt);
  if (!Number.isNaN(expires) && !(swept < expires))
    return { words: `Expires ${until(row.expiresAt, now)}`, exact: exact(row.expiresAt) };
  if (!Number.isNaN(swept)) return { words: `Ends ${until(row.sweptAt, now)}, unless used`, exact: exact(row.sweptAt) };
  return { words: 'Ends when you revoke it', exact: '' };
}
