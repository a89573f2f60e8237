import { cleanup, render } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';

import Figure from './Figure.svelte';

afterEach(cleanup);

describe('what came of a call', () => {
  it.each([
    ['+3 −1', ['+3', '−1'], '+3 −1'],
    ['+1,234 −25, kept 1 of 2 changes', ['+1,234', '−25'], '+1,234 −25, kept 1 of 2 changes'],
    ['186 lines', [], '186 lines'],
  ])('has its counts in colours and the rest in words: %s', (figure, coloured, whole) => {
    const { container } = render(Figure, { props: { figure } });
    expect([...container.querySelectorAll('.add, .del')].map((one) => one.textContent)).toEqual(coloured);
    expect(container.textContent?.replace(/\s+/g, ' ').trim()).toBe(whole);
  });
});
