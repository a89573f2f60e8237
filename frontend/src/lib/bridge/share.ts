/**
 * What was just read, with every part that did not change taken from what was read before,
 * so that whoever draws it sees only what changed. Both are plain data; rows of a list
 * belong together by their id or root.
 */
export function share<T>(before: T, now: T): T {
  if (Object.is(before, now)) return before;
  if (Array.isArray(before) && Array.isArray(now)) return shareList(before, now) as T;
  if (isRecord(before) && isRecord(now)) return shareRecord(before, now) as T;
  return now;
}

function shareList(before: unknown[], now: unknown[]): unknown[] {
  const byKey = new Map<unknown, unknown>();
  for (const [index, one] of before.entries()) byKey.set(keyOf(one) ?? index, one);
  const shared = now.map((one, index) => share(byKey.get(keyOf(one) ?? index), one));
  const changed = shared.length !== before.length || shared.some((one, index) => !Object.is(one, before[index]));
  return changed ? shared : before;
}

function shareRecord(before: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(now);
  let changed = keys.length !== Object.keys(before).length;
  const shared: Record<string, unknown> = {};
  for (const key of keys) {
    shared[key] = share(before[key], now[key]);
    changed ||= !Object.is(shared[key], before[key]);
  }
  return changed ? shared : before;
}

function keyOf(one: unknown): unknown {
  return isRecord(one) ? (one.id ?? one.root) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
