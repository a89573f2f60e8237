import { afterEach, describe, expect, it, vi } from 'vitest';

import { capOf, chordOf, isWriting, type Keys, press } from './keys';

function key(init: KeyboardEventInit, target: Element = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
}

const keys = {
  next: { on: ['j', 'ArrowDown'], words: 'Next', held: true },
  once: { on: ['a'], words: 'Allow once' },
  back: { on: ['Escape'], words: 'Back', writing: true },
  confirm: { on: ['Ctrl+Enter'], words: 'Confirm' },
} as const satisfies Keys;

/** What a press of the table does: the name of its act, "" for none. */
function did(init: KeyboardEventInit, target?: Element, taken = true): string {
  const act = vi.fn<(name: string) => void>();
  const take = (name: string) => () => {
    act(name);
    return taken;
  };
  const event = key(init, target);
  const pressed = press(event, keys, {
    next: take('next'),
    once: take('once'),
    back: take('back'),
    confirm: take('confirm'),
  });
  expect(pressed).toBe(taken && act.mock.calls.length > 0);
  expect(event.defaultPrevented).toBe(pressed);
  return act.mock.calls.map(([name]) => name).join();
}

afterEach(() => document.body.replaceChildren());

describe('a chord', () => {
  it.each([
    [{ key: 'a' }, 'a'],
    [{ key: 'A' }, ''],
    [{ key: 'A', shiftKey: true }, ''],
    [{ key: 'a', shiftKey: true }, ''],
    [{ key: '1', shiftKey: true }, ''],
    [{ key: ' ', shiftKey: true }, ''],
    [{ key: 'a', altKey: true }, ''],
    [{ key: 'a', isComposing: true }, ''],
    [{ key: 'Process' }, ''],
    [{ key: 'Dead' }, ''],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: '/', shiftKey: true, code: 'Digit7' }, '/'],
    [{ key: 'Escape' }, 'Escape'],
    [{ key: 'Enter', shiftKey: true }, 'Shift+Enter'],
    [{ key: 'Enter', ctrlKey: true }, 'Ctrl+Enter'],
    [{ key: 'Enter', metaKey: true }, 'Ctrl+Enter'],
    [{ key: 'Enter', ctrlKey: true, shiftKey: true }, ''],
    [{ key: 'K', ctrlKey: true }, 'Ctrl+k'],
    [{ key: 'л', code: 'KeyK', ctrlKey: true }, 'Ctrl+k'],
    [{ key: '&', code: 'Digit1', ctrlKey: true }, 'Ctrl+1'],
    [{ key: 'End', code: 'Numpad1', ctrlKey: true }, 'Ctrl+End'],
  ])('of %o is "%s"', (init, chord) => expect(chordOf(key(init))).toBe(chord));

  it('is printed as on a key cap', () => {
    expect(['Ctrl+k', 'Ctrl+Enter', 'j', 'Escape', '+', '?'].map(capOf)).toEqual([
      'Ctrl K',
      'Ctrl ↵',
      'J',
      'Esc',
      '+',
      '?',
    ]);
  });
});

describe('a press', () => {
  it('does what the table says, and nothing for another key', () => {
    expect(did({ key: 'j' })).toBe('next');
    expect(did({ key: 'a' })).toBe('once');
    expect(did({ key: 'Enter', ctrlKey: true })).toBe('confirm');
    expect(did({ key: 'z' })).toBe('');
    expect(did({ key: 'Enter' })).toBe('');
  });

  it('that is held moves, and never answers', () => {
    expect(did({ key: 'j', repeat: true })).toBe('next');
    expect(did({ key: 'a', repeat: true })).toBe('');
    expect(did({ key: 'Enter', ctrlKey: true, repeat: true })).toBe('');
  });

  it.each(['input', 'textarea', 'select'])('in a field is a letter there: %s', (tag) => {
    const field = document.body.appendChild(document.createElement(tag));
    expect(isWriting(field)).toBe(true);
    expect(did({ key: 'a' }, field)).toBe('');
    expect(did({ key: 'j' }, field)).toBe('');
    expect(did({ key: 'Escape' }, field)).toBe('back');
    expect(did({ key: 'Enter', ctrlKey: true }, field)).toBe('confirm');
  });

  it('on a check box, which takes no text, counts', () => {
    const box = document.body.appendChild(document.createElement('input'));
    box.type = 'checkbox';
    expect(did({ key: 'a' }, box)).toBe('once');
  });

  it('that something else took does nothing', () => {
    document.body.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    const once = vi.fn();
    const nothing = vi.fn();
    expect(press(key({ key: 'a' }), keys, { next: nothing, once, back: nothing, confirm: nothing })).toBe(false);
    expect(once).not.toHaveBeenCalled();
  });

  it('that is not taken is left to the browser', () => expect(did({ key: 'a' }, document.body, false)).toBe('once'));
});
