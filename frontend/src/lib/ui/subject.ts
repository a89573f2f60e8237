/** What a list shows of a long subject: its beginning, and how many characters more the opened card shows. */
export function listed(text: string, maxShown = 160): { text: string; more: number } {
  const characters = [...text];
  if (characters.length <= maxShown) return { text, more: 0 };
  return { text: characters.slice(0, maxShown).join(''), more: characters.length - maxShown };
}

/** Whether a title says already who it is about: a session may be named after its caller. */
export function namedAfter(title: string, name: string): boolean {
  return title === name || title.startsWith(`${name}, `);
}
