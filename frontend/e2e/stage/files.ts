// Files as they are now, so that more of them can be shown than a diff holds.

/** A file of Go with as many lines, of which the one with a number is line 1, 2, ... */
export function goFile(lines: number): string {
  const block = [
    '// Waits holds how long each host was waited for. It is safe for concurrent use.',
    'type Waits struct {',
    '\tmu    sync.Mutex',
    '\tbyKey map[string]time.Duration',
    '}',
    '',
    'func (w *Waits) Add(host string, d time.Duration) int {',
    '\tw.mu.Lock()',
    '\tdefer w.mu.Unlock()',
    '\tw.byKey[host] += d // never more than an hour',
    '\treturn len(w.byKey) * 2',
    '}',
    '',
  ];
  return Array.from({ length: lines }, (_, i) => (i === 0 ? 'package dispatch' : block[i % block.length])).join('\n');
}
