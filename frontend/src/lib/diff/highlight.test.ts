import { describe, expect, it, vi } from 'vitest';

import { colourText, type Found } from './highlight';

const text = ['const first = (a: number) => a + 1;', 'if (first(2) !== 3) throw new Error("no");'].join('\n');

async function colours(): Promise<Found[]> {
  const found: Found[] = [];
  for await (const stretch of colourText(text, 'typescript')) found.push(stretch);
  return found;
}

describe('the colours of a text', () => {
  it('are the same however busy the machine is', async () => {
    const quiet = await colours();
    expect(quiet[0]?.lines[1]?.[0]).toEqual({ from: 0, to: 2, hue: 'k' });
    let now = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1_000));
    const busy = await colours();
    clock.mockRestore();
    expect(busy).toEqual(quiet);
  });
});
