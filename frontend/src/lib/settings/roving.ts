import { press } from '../ui/keys';
import { choiceKeys } from './keys';

/**
 * An action for a group of radio buttons of ours: one of them is in the order of Tab, and
 * the arrows move among them. They choose nothing, since a choice takes effect at once and
 * the way to a strict one may lead over a loose one.
 */
export function roving(group: HTMLElement): { destroy(): void } {
  const move = (by: number) => {
    const all = [...group.querySelectorAll<HTMLElement>('[role="radio"]')];
    const at = all.findIndex((one) => one === document.activeElement);
    if (at < 0) return false;
    all[(at + by + all.length) % all.length]?.focus();
  };
  const onkeydown = (event: KeyboardEvent) => press(event, choiceKeys, { down: () => move(1), up: () => move(-1) });
  group.addEventListener('keydown', onkeydown);
  return { destroy: () => group.removeEventListener('keydown', onkeydown) };
}
