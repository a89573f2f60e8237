/** What a list shows of a long subject: its beginning, and how many characters more the opened card shows. */
export function listed(text: string, maxShown = 160): { text: string; more: number } {
  const flat = text.replace(/\s*\n\s*/g, ' ');
  const characters = [...flat];
  if (characters.length <= maxShown) return { text: flat, more: 0 };
  return { text: characters.slice(0, maxShown).join(''), more: characters.length - maxShown };
}
