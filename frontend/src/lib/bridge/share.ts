/**
 * What was just read, with every part that did not change taken from what was read before,
 * so that whoever draws it sees only what changed. Both are plain data; rows of a list
 * belong together by their id or root.
 */
export function share<T>(before: T, now: T): T {
  if (before === now || !isObject(before) || !isObject(now)) return now;
  if (Array.isArray(before) !== Array.isArray(now)) return now;
  if (Array.isArray(before)) return shareList(before, now as unknown[]) as T;
  return shareRecord(before as Plain, now as Plain) as T;
}

type Plain = Record<string, unknown>;

function shareList(before: unknown[], now: unknown[]): unknown[] {
  const byKey = new Map<unknown, unknown>();
  for (const [index, one] of before.entries()) byKey.set(keyOf(one) ?? index, one);
  const shared = now.map((one, index) => share(byKey.get(keyOf(one) ?? index), one));
  const changed = shared.length !== before.length || shared.some((one, index) => one !== before[index]);
  return changed ? shared : before;
}

function shareRecord(before: Plain, now: Plain): Plain {
  // Of a thousand rows hardly one changed, so nothing is made before something is found.
  let shared: Plain | undefined;
  let count = 0;
  for (const key in now) {
    const one = share(before[key], now[key]);
    if (!shared && one !== before[key]) shared = beginningOf(before, now, key);
    if (shared) shared[key] = one;
    count++;
  }
  count -= Object.keys(before).length;
  return shared ?? (count === 0 ? before : beginningOf(before, now));
}

/** What stands before a key, or all of it, where that is as it was. */
function beginningOf(before: Plain, now: Plain, end?: string): Plain {
  const beginning: Plain = {};
  for (const key in now) {
    if (key === end) break;
    beginning[key] = before[key];
  }
  return beginning;
}

function keyOf(one: unknown): unknown {
  return isObject(one) ? ((one as Plain).id ?? (one as Plain).root) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
