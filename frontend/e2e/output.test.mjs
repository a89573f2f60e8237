// What a command printed, opened whole: a client's call prints more than its model is given, and a
// person reads, searches, copies, saves and keeps all of it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import { holdToAllow, looks, openDesk, place, showView, startBrowser, startDesk, trust, until } from './harness.mjs';

const browser = await startBrowser({ after });

const lines = 20_000;
// Coloured lines, one that is very long, and bytes that are no text.
const script = [
  `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); printf '\\033[32mline %d\\033[0m of worker-%d\\n' $i $((i % 7)); done`,
  `head -c 300000 /dev/zero | tr '\\0' x; echo`,
  `printf 'bytes \\000\\377 here\\nthe end\\n'`,
].join('; ');

const region = (page) => page.getByRole('region', { name: 'Lines of the output' });

/** The numbers of the lines in view. */
const numbers = (page) =>
  region(page).evaluate((place) => {
    const box = place.getBoundingClientRect();
    const inView = [...place.querySelectorAll('[data-line]')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > box.top && top < box.bottom;
    });
    return inView.map((one) => Number(one.dataset.line));
  });

/** Waits until a line is in view and read. */
const shows = (page, line, text) =>
  until(async () => {
    if (!(await numbers(page)).includes(line)) return false;
    const found = region(page).locator(`[data-line="${line}"]`);
    return found.evaluate((one, text) => one.innerText.includes(text), text, { timeout: 1_000 }).catch(() => false);
  }, `line ${line} with ${text}`);

test('an output that the model read in part is read, searched, saved and kept whole', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);
  const call = client.call('bash', { command: script });
  await trust(page);
  await holdToAllow(page, 'worker-');
  const result = await call;
  assert.match(result.content[0].text, /lines omitted/);

  await showView(page, /^Desk/);
  await page.getByRole('region', { name: 'Session', exact: true }).getByText('printf').first().click();
  const open = page.getByRole('button', { name: /^Open the full output/ });
  await open.click();
  await shows(page, 1, 'line 1 of worker-1');
  const counted = `${(lines + 3).toLocaleString('en')} lines`;
  await page.getByText(counted).waitFor();
  const pane = page.getByRole('region', { name: 'Output', exact: true });
  assert.equal(await pane.locator('.a-ink-green').first().innerText(), 'line 1');

  // What the model was not given begins where its part ended, and is passed over by a key.
  await page.keyboard.press('u');
  await pane.getByText('were not given to the model').waitFor();
  await looks(page, 'output-omitted');
  const skip = pane.getByRole('button', { name: /^Skip to line/ });
  const after = Number((await skip.innerText()).replace(/\D/g, ''));
  await skip.click();
  await shows(page, after, after > lines ? '' : `line ${after} of`);

  // The wheel, the keys and the strip move it, and never out of it.
  await page.keyboard.press('Home');
  await shows(page, 1, 'line 1 of');
  await region(page).hover();
  await page.mouse.wheel(0, 2_000);
  await shows(page, 101, 'line 101 of');
  await page.mouse.wheel(0, -9_000);
  await shows(page, 1, 'line 1 of');
  const strip = await pane.getByRole('scrollbar').boundingBox();
  await page.mouse.click(strip.x + 5, strip.y + strip.height / 2);
  await until(async () => Math.abs((await numbers(page))[0] - lines / 2) < 100, 'the middle of the output');
  await page.keyboard.press('End');
  await shows(page, lines + 2, '2 bytes that are not text: 00 ff');

  // A line without end is shown in part, and more of it on demand.
  await page.keyboard.press('k');
  const more = pane.getByRole('button', { name: /^Show more of this line/ });
  await more.scrollIntoViewIfNeeded();
  const left = await more.innerText();
  await more.click();
  await until(async () => (await more.innerText()) !== left, 'more of the line');

  // The search counts all, goes from match to match and round.
  await page.keyboard.press('Home');
  await shows(page, 1, 'line 1 of');
  await page.keyboard.press('/');
  await page.keyboard.type('LINE 1999');
  await pane.getByText('1 of 11', { exact: true }).waitFor();
  await page.keyboard.press('Shift+Enter');
  await pane.getByText('11 of 11', { exact: true }).waitFor();
  await shows(page, 19_999, 'line 19999');
  assert.equal(await pane.locator('mark.now').innerText(), 'line 1999');
  await looks(page, 'output-searched');
  await pane.getByRole('button', { name: 'Large and small letters are different' }).click();
  await pane.getByText('None', { exact: true }).waitFor();
  await page.keyboard.press('Escape');

  // Lines are chosen by their numbers and copied as they are.
  await page.keyboard.press('Home');
  await shows(page, 3, 'line 3');
  await region(page).locator('[data-line="2"] .ol > span').click();
  await region(page)
    .locator('[data-line="3"] .ol > span')
    .click({ modifiers: ['Shift'] });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('y');
  await pane.getByText('Copied the chosen lines.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, '\u001b[32mline 2\u001b[0m of worker-2\n\u001b[32mline 3\u001b[0m of worker-3\n');
  await page.keyboard.press('Escape');

  const download = page.waitForEvent('download');
  await page.keyboard.press('s');
  const saved = await readFile(await (await download).path(), 'latin1');
  assert.match((await download).suggestedFilename(), /^bash-.*\.txt$/);
  assert.ok(saved.startsWith('\u001b[32mline 1\u001b[0m') && saved.endsWith('bytes \u0000\u00ff here\nthe end\n'));

  await pane.getByRole('button', { name: 'Keep' }).click();
  await pane.getByText('It is kept for 30 days.').waitFor();
  await pane.getByText('Kept until').waitFor();

  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
  await until(() => open.evaluate((one) => one === document.activeElement), 'the focus is back');
  assert.deepEqual(errors, []);
});

test('the log of a process is followed while it grows', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);
  const command = 'i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.02; done';
  const call = client.call('process', { action: 'start', command });
  await trust(page);
  await holdToAllow(page, 'tick');
  await call;
  await showView(page, /^Processes/);
  await page.getByRole('button', { name: /^Full log/ }).click();
  await shows(page, 1, 'tick 1');
  await page.keyboard.press('f');
  const last = async () => (await numbers(page)).at(-1);
  await until(async () => (await last()) > 60, 'the end of the log');
  const before = await last();
  await until(async () => (await last()) > before + 20, 'more of the log');

  // Whoever looks back is left alone.
  await page.keyboard.press('PageUp');
  const [first] = await numbers(page);
  const size = await page.getByRole('region', { name: 'Output', exact: true }).locator('.size').innerText();
  await until(
    async () => (await page.getByRole('region', { name: 'Output', exact: true }).locator('.size').innerText()) !== size,
    'the log grows on',
  );
  assert.equal((await numbers(page))[0], first);
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Output', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
});
