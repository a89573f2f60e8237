/** Whether every word of a filter is in one of the texts, in any case and order. An empty one takes all. */
export function matches(filter: string, texts: string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
