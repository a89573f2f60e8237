import { chordOf } from '../ui/keys';
import { cardKeys } from './keys';

const answers: readonly string[] = [
  cardKeys.once,
  cardKeys.session,
  cardKeys.workspace,
  cardKeys.deny,
  cardKeys.words,
  cardKeys.stop,
].flatMap((key) => [...key.on]);

/** Whether a key answers a card by itself, or leads to an answer. */
export function isAnswer(event: KeyboardEvent): boolean {
  return answers.includes(chordOf(event));
}
