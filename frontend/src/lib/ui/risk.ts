/** How bad it would be to allow the wrong call. */
export type Risk = 'low' | 'medium' | 'high' | 'critical';

/** Reads a risk; a word that is not known counts as critical. */
export function riskOf(word: string): Risk {
  const known = word.toLowerCase();
  return known === 'low' || known === 'medium' || known === 'high' ? known : 'critical';
}

/** The risk in words: "High risk". */
export function riskWords(risk: Risk): string {
  return `${risk[0]?.toUpperCase()}${risk.slice(1)} risk`;
}
