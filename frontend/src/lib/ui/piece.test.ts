import { render, screen } from '@testing-library/svelte';
import { type Component, createRawSnippet, tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';

import Note from './Note.svelte';
import { Piece } from './piece.svelte';
import PieceOf from './PieceOf.svelte';

const words = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }));
const settle = () => new Promise((done) => setTimeout(done));

describe('a piece of the page', () => {
  it('is read once, however often it is asked for', async () => {
    const read = vi.fn(async () => ({ default: Note }));
    const piece = new Piece(read);
    await Promise.all([piece.load(), piece.load()]);
    await piece.load();
    expect(piece.part).toBe(Note);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('that could not be read is read again when it is asked for again', async () => {
    const cause = new Error('gone');
    const read = vi.fn(async () => ({ default: Note })).mockRejectedValueOnce(cause);
    const piece = new Piece(read);
    await piece.load();
    expect(piece.failure).toEqual({ cause });
    expect(piece.part).toBeUndefined();
    await piece.load();
    expect(piece.failure).toBeUndefined();
    expect(piece.part).toBe(Note);
  });

  it('has something in its place until it was read', async () => {
    let come = (_: { default: Component<Record<string, unknown>> }) => {};
    const piece = new Piece(
      () => new Promise<{ default: Component<Record<string, unknown>> }>((done) => (come = done)),
    );
    render(PieceOf, { props: { of: piece, until: words('not yet'), drawn: words('drawn') } });
    expect(screen.getByText('not yet')).toBeTruthy();
    come({ default: () => ({}) });
    await settle();
    await tick();
    expect(screen.getByText('drawn')).toBeTruthy();
    expect(screen.queryByText('not yet')).toBeNull();
  });
});
