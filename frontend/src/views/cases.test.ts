import { readFileSync } from 'node:fs';

import { cleanup, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import App from '../App.svelte';
import { FakeBridge } from '../lib/bridge/fake';
import { card, desk, diff, session } from '../test/make';

interface Case {
  id: string;
  area: string;
  right_behaviour: string;
}

const cases = readFileSync('../tools/testdata/cases/issues.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
  .filter((one) => one.area === 'approval prompt hidden or truncated');

/** Shows the card of a command and answers what stands in its lines, without their numbers. */
async function shown(command: string): Promise<string> {
  const one = card({ toolId: 'bash' }, { preview: 'command', command, diffs: [diff()], arguments: [], about: [] });
  const bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [session()], approvals: [one.row], trust: [] },
    cards: [one],
    ...{ views: [], details: [], trusts: [], tools: [] },
  });
  location.hash = '#/approvals';
  render(App, { props: { bridge } });
  await vi.advanceTimersByTimeAsync(1_000);
  // Whatever the length, the answer is there.
  expect(
    within(screen.getByRole('group', { name: 'Answer' })).getByRole('button', { name: /^Allow once/ }),
  ).toBeTruthy();
  return [...document.querySelectorAll('.cmd .cl > div')].map((line) => line.textContent?.trim()).join('\n');
}

const heredoc = 'git commit -m "$(cat <<\'EOF\'\nthe only line of it\nEOF\n)"';
const tried: Record<string, () => Promise<void>> = {
  'iss-045': async () => expect(await shown('x'.repeat(3_000))).toMatch(/^x{2000}\nx{1000}$/),
  'iss-046': async () => expect((await shown(heredoc)).match(/the only line of it/g)).toHaveLength(1),
  'iss-050': async () => {
    const wide = Array.from({ length: 40 }, (_, i) => `--flag=${i}`).join(' ');
    expect(await shown(wide)).toBe(wide);
  },
  'iss-056': async () => {
    await shown('echo a\rb\u001b[2Kc');
    const tokens = [...document.querySelectorAll('.cmd .tok')].map((one) => one.textContent);
    expect(tokens).toEqual(['U+000D carriage return', 'U+001B escape']);
  },
};

/** Those that need a page that is laid out, or a grant that is stored, and where they are tried. */
const elsewhere = {
  'iss-048': 'e2e/texts.test.mjs',
  'iss-061': '../backend/reports_test.go',
  'iss-062': '../backend/reports_test.go',
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a prompt that was hidden or cut elsewhere', () => {
  it('is known whole', () => {
    expect(cases.map((one) => one.id).toSorted()).toEqual(
      [...Object.keys(tried), ...Object.keys(elsewhere)].toSorted(),
    );
    for (const [id, file] of Object.entries(elsewhere)) expect(readFileSync(file, 'utf8')).toContain(id);
  });

  it.each(cases.filter((one) => tried[one.id]))('$id: $right_behaviour', async ({ id }) => tried[id]?.());
});
