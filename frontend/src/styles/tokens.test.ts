import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('src/styles/tokens.css', 'utf8');

/** A token as it is in a theme, as red, green and blue. */
function colour(name: string, theme: 'light' | 'dark'): number[] {
  const value = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(text);
  if (!value) throw new Error(`${name} is no pair of colours`);
  const hex = theme === 'light' ? value[1]! : value[2]!;
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
}

function luminance(channels: number[]): number {
  const [r, g, b] = channels.map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: number[], other: number[]): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const inks = ['syn-keyword', 'syn-string', 'syn-comment', 'syn-number', 'syn-func', 'syn-type', 'text-1'];
const papers = {
  'a line': ['surface-1', 'surface-pop', 'surface-selected'],
  'a change': ['diff-add', 'diff-del', 'diff-add-word', 'diff-del-word'],
};

describe('the colours of code', () => {
  it('tell contrast as the standard does', () => {
    expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21, 5);
    expect(contrast([0.4667, 0.4667, 0.4667], [1, 1, 1])).toBeCloseTo(4.48, 2);
  });

  for (const theme of ['light', 'dark'] as const) {
    it.each(inks)(`%s can be read in ${theme} wherever code is drawn`, (ink) => {
      for (const [where, names] of Object.entries(papers)) {
        for (const paper of names) {
          const found = contrast(colour(ink, theme), colour(paper, theme));
          expect(found, `${ink} on ${paper}, ${where}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    });

    it(`text in a match can be read in ${theme}`, () => {
      expect(contrast(colour('text-1', theme), colour('mark-hit', theme))).toBeGreaterThanOrEqual(4.5);
    });

    it(`numbers can be read beside a change in ${theme}`, () => {
      for (const paper of ['surface-1', 'diff-add-gutter', 'diff-del-gutter'])
        expect(contrast(colour('text-3', theme), colour(paper, theme)), paper).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colour('text-2', theme), colour('diff-hunk', theme))).toBeGreaterThanOrEqual(4.5);
    });
  }
});
