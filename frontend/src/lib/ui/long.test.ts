import { cleanup, render } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';

import { diff } from '../../test/make';
import Command from '../approval/Command.svelte';
import { lineRows, rowBlocks } from '../diff/rows';
import DiffFile from '../diff/DiffFile.svelte';
import { parseUnified } from '../diff/parse';
import { blocksOf, chunksOf } from './chunks';
import LongText from './LongText.svelte';

afterEach(cleanup);

const megabyte = 1 << 20;
const unseen = 'a\u202e\u200b\u001b'.repeat(megabyte / 4);
const html = '<img src=x onerror=alert(1)>'.repeat(megabyte / 28);

/** The text again, from its pieces. */
const joined = (text: string) =>
  chunksOf(text).reduce((whole, chunk, i) => whole + (chunk.first && i ? '\n' : '') + chunk.text, '');

// Nothing is watched here, so that only what is drawn at once is there.
function still() {
  const before = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
  return () => (globalThis.IntersectionObserver = before);
}

describe('pieces of a text', () => {
  it.each([
    ['nothing', ''],
    ['lines', 'one\n\ntwo\r\nthree\n'],
    ['a line of a megabyte', html],
    ['a line without a space', 'x'.repeat(100_001)],
    ['characters of two units', '😀'.repeat(5_001)],
    ['characters that are not seen', unseen],
  ])('are the whole text: %s', (_, text) => {
    expect(joined(text)).toBe(text);
    for (const { text: piece } of chunksOf(text)) {
      expect(piece.length).toBeLessThanOrEqual(2_000);
      expect(/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece)).toBe(false);
    }
    for (const block of blocksOf(chunksOf(text))) {
      expect(block.chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)).toBeLessThanOrEqual(4_000);
    }
  });

  it('begin a line only where one begins', () => {
    const pieces = chunksOf(`${'word '.repeat(1_000)}\nnext`);
    expect(pieces.map((one) => [one.first, one.line])).toEqual([
      [true, 1],
      [false, 1],
      [false, 1],
      [true, 2],
    ]);
    expect(pieces[0]?.text.endsWith(' ')).toBe(true);
  });
});

describe('what is drawn of a megabyte', () => {
  it.each([
    ['text', () => render(LongText, { text: unseen, long: true })],
    ['markup', () => render(LongText, { text: html })],
    ['a command', () => render(Command, { text: html })],
    ['a command that is not seen', () => render(Command, { text: unseen })],
    ['a line of a diff', () => render(DiffFile, { file: diff({ unified: `@@ -0,0 +1,1 @@\n+${unseen}\n` }) })],
    [
      'a diff of many lines',
      () =>
        render(DiffFile, {
          file: diff({ unified: `@@ -0,0 +1,50000 @@\n${'+a line of it, and some more\n'.repeat(50_000)}` }),
        }),
    ],
  ])('is bounded: %s', (_, draw) => {
    const restore = still();
    try {
      const { container } = draw();
      expect(container.querySelectorAll('*').length).toBeLessThan(8_000);
      expect(container.querySelectorAll('img, script')).toHaveLength(0);
      expect(container.textContent?.length).toBeGreaterThan(1_000);
    } finally {
      restore();
    }
  });

  it('is all of it where everything is near', () => {
    const text = `start ${'word '.repeat(3_000)}the-end\nrm -rf /srv/data`;
    const { container } = render(Command, { text });
    expect(container.textContent).toContain('the-end');
    expect(container.textContent).toContain('/srv/data');
    expect([...container.querySelectorAll('.cl > i')].map((one) => one.textContent).filter(Boolean)).toEqual([
      '1',
      '2',
    ]);
  });
});

describe('rows of a diff', () => {
  it('keep a very long line whole, with one number', () => {
    const [hunk] = parseUnified(`@@ -1,1 +1,1 @@\n-${'x'.repeat(5_000)}\n+y\n`);
    const rows = lineRows(hunk?.lines ?? [], 'unified');
    const pieces = rows.flatMap((row) => (row.kind === 'line' ? [row.piece] : []));
    expect(pieces.map((piece) => piece.first)).toEqual([true, false, false, true]);
    expect(
      pieces
        .slice(0, 3)
        .map((piece) => piece.text)
        .join(''),
    ).toBe('x'.repeat(5_000));
    expect(rowBlocks(rows, 'unified').flatMap((block) => block.rows)).toHaveLength(4);
  });
});
