/**
 * Takes the repeats of a key that is still held when what it was pressed for has gone, until it is
 * let go. Otherwise they would fall on whatever has the keys then, and that may be an answer.
 */
export function awaitRelease(): void {
  const done = () => {
    removeEventListener('keydown', take, true);
    removeEventListener('keyup', done, true);
  };
  const take = (event: KeyboardEvent) => {
    if (!event.repeat) return done();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('keydown', take, true);
  addEventListener('keyup', done, true);
}
