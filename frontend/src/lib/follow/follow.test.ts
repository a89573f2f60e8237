import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { line } from '../output/ansi';
import { Tail } from '../output/tail.svelte';
import TailLines from '../output/TailLines.svelte';
import { Following } from './following.svelte';
import { type Handled, hands } from './hands';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

describe('the end of a list', () => {
  let now: number;
  let following: Following;
  beforeEach(() => {
    now = 10_000;
    following = new Following(24, 400, () => now);
    following.moved();
  });

  it('is left at once by whoever goes up, and not found again on the way', () => {
    following.up();
    expect(following.on).toBe(false);
    // The list is told to be where it was, or a little above.
    following.scrolled(0);
    following.scrolled(20);
    expect(following.on).toBe(false);
    following.scrolled(300);
    following.touch();
    following.scrolled(0);
    expect(following.on).toBe(true);
  });

  it('is left by a scroll soon after a touch, or long after the list moved by itself', () => {
    following.scrolled(200);
    expect(following.on).toBe(true);
    following.touch();
    now += 999;
    following.moved();
    following.scrolled(200);
    expect(following.on).toBe(false);
    following.start();
    now += 400;
    following.scrolled(200);
    expect(following.on).toBe(true);
    now += 1;
    following.scrolled(200);
    expect(following.on).toBe(false);
  });

  it('is followed again by whoever goes to it, until they go up once more', () => {
    following.up();
    following.start();
    following.scrolled(0);
    expect(following.on).toBe(true);
    following.up();
    following.on = true;
    following.scrolled(0);
    expect(following.on).toBe(true);
  });

  it('is not followed where it is not the end of all', () => {
    following.touch();
    following.scrolled(0, false);
    expect(following.on).toBe(false);
  });
});

describe('hands on a list', () => {
  function made(tag: string, id: string, into: Element): HTMLElement {
    const element = document.createElement(tag);
    element.id = id;
    into.append(element);
    return element;
  }

  /** What is told of an event on a box that was scrolled, or on something in it. */
  async function told(event: Event, { on = 'box', top = 100 } = {}): Promise<string> {
    const box = made('div', 'box', document.body);
    const inner = made('div', 'inner', box);
    for (const one of [box, inner]) one.style.overflowY = 'auto';
    made('button', 'button', box);
    made('input', 'field', box);
    made('span', 'text', inner);
    const of = { touch: vi.fn<Handled['touch']>(), up: vi.fn<Handled['up']>() };
    const end = hands(of)(box);
    box.scrollTop = top;
    await fireEvent(document.querySelector(`#${on}`)!, event);
    expect(event.defaultPrevented).toBe(false);
    end?.();
    box.remove();
    return [of.touch.mock.calls.length && 'touch', of.up.mock.calls.length && 'up'].filter(Boolean).join();
  }
  const key = (key: string) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  const wheel = (init: WheelEventInit) => new WheelEvent('wheel', { bubbles: true, cancelable: true, ...init });

  it.each(['Home', 'PageUp', 'ArrowUp'])('go up with %s, and the browser moves the list', async (name) => {
    expect(await told(key(name))).toBe('touch,up');
    expect(await told(key(name), { on: 'button' })).toBe('touch,up');
  });

  it('go up with the wheel, and not where it makes all larger or goes aside', async () => {
    expect(await told(wheel({ deltaY: -3 }))).toBe('touch,up');
    expect(await told(wheel({ deltaY: 3 }))).toBe('touch');
    expect(await told(wheel({ deltaY: -3, ctrlKey: true }))).toBe('touch');
    expect(await told(wheel({ deltaY: -3, shiftKey: true }))).toBe('touch');
  });

  it('do not go up from the beginning, in what scrolls inside, or where something is written', async () => {
    expect(await told(key('Home'), { top: 0 })).toBe('touch');
    expect(await told(wheel({ deltaY: -3 }), { on: 'text' })).toBe('touch');
    expect(await told(key('PageUp'), { on: 'inner' })).toBe('touch');
    expect(await told(key('ArrowUp'), { on: 'field' })).toBe('touch');
  });

  it('do what scrolls with other keys, a drag and a finger, and nothing with a pointer that passes', async () => {
    expect(await told(key('PageDown'))).toBe('touch');
    expect(await told(new MouseEvent('pointerdown', { bubbles: true }))).toBe('touch');
    expect(await told(new MouseEvent('pointermove', { bubbles: true, buttons: 1 }))).toBe('touch');
    expect(await told(new MouseEvent('pointermove', { bubbles: true }))).toBe('');
    expect(await told(new Event('touchmove', { bubbles: true }))).toBe('touch');
  });
});

describe('what a program prints', () => {
  it('comes below whoever went up, before the list has moved', async () => {
    const tail = new Tail(() => Promise.reject(new Error('nothing is read')));
    const print = async (count: number) => {
      const from = tail.lines.length;
      const fresh = Array.from({ length: count }, (_, i) => ({ n: from + i, line: line('x'), words: '' }));
      tail.lines = [...tail.lines, ...fresh];
      await tick();
      await tick();
    };
    render(TailLines, { tail, label: 'Lines' });
    const log = screen.getByRole('log', { name: 'Lines' });
    Object.defineProperty(log, 'scrollHeight', { get: () => tail.lines.length * 18 });
    await print(100);
    expect([log.scrollTop, tail.held]).toEqual([1_800, false]);
    await fireEvent.keyDown(log, { key: 'Home' });
    await print(10);
    expect([log.scrollTop, tail.held]).toEqual([1_800, true]);
    await fireEvent.click(screen.getByRole('button', { name: '10 new lines' }));
    await tick();
    expect([log.scrollTop, tail.held]).toEqual([1_980, false]);
    await print(1);
    expect(log.scrollTop).toBe(1_998);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
