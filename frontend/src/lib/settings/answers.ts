/** How an answer looks: the word, and the state whose colour and sign it takes. */
export interface Told {
  word: string;
  look: 'done' | 'waiting' | 'uncertain' | 'denied';
}

/** Tells what a kind of call gets. What is not known is told as a denial, as it would be one. */
export function answerOf(answer: string): Told {
  switch (answer) {
    case 'allow':
      return { word: 'Allow', look: 'done' };
    case 'ask':
    case 'once':
    case 'insist':
    case 'restrict':
      return { word: 'Ask', look: 'waiting' };
    case 'review':
    case 'review1':
      return { word: 'Reviewer', look: 'uncertain' };
    default:
      return { word: 'Deny', look: 'denied' };
  }
}

/** Whether any preset sends a call to the reviewer. */
export function asksReviewer(presets: { answers: string[] }[]): boolean {
  return presets.some((row) => row.answers.some((answer) => answer.startsWith('review')));
}
