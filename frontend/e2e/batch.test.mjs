// Several calls are answered together: selected, read in full, allowed or denied as one.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import { axe, looks, openDesk, place, screenshot, sizes, startBrowser, startDesk, trust, until } from './harness.mjs';
import { serveStage } from './stage/built.mjs';

const browser = await startBrowser({ after });
const at = await serveStage({ after });

const list = (page) => page.getByRole('listbox', { name: /Waiting calls/ });
const rows = (page) => list(page).getByRole('option');
const review = (page) => page.getByRole('article', { name: 'Review of the batch' });
const answer = (page) => review(page).getByRole('group', { name: 'Answer to all of them' });

/** Goes through the review by its key until all of it was in view. */
async function readAll(page) {
  const quiet = () => page.locator('[data-guard="open"]').waitFor();
  await quiet();
  await until(async () => {
    if (await answer(page).getByRole('button', { name: /once/ }).isEnabled()) return true;
    await page.keyboard.press('m');
    return false;
  }, 'all of the batch was in view');
  // Whoever types is waited for.
  await quiet();
}

test('three calls of two sessions are allowed in one batch, after a change dropped the selection', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);
  const first = await connect(t, desk, { name: 'first' });
  const second = await connect(t, desk, { name: 'second' });
  const made = first.call('write', { file_path: 'a.txt', content: 'from the first\n' });
  await until(async () => (await rows(page).count()) === 1 || (await page.getByText('Trust').count()) > 0, 'it waits');
  await trust(page);
  const row = (text) => rows(page).filter({ hasText: text });
  await row('a.txt').waitFor();
  const ran = first.call('bash', { command: 'printf ran > ran.txt' });
  await row('printf').waitFor();
  const other = second.call('write', { file_path: 'b.txt', content: 'from the second\n' });
  await row('b.txt').waitFor();
  const late = second.call('write', { file_path: 'late.txt', content: 'too late\n' });
  await row('late.txt').waitFor();

  // The list takes the keys: from the first of them down to the last.
  await row('a.txt').click();
  await list(page).focus();
  await page.keyboard.press('Space');
  for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('4 selected').waitFor();
  await page.keyboard.press('b');
  await review(page).getByText('4 calls together').waitFor();
  assert.match(
    await review(page).getByRole('heading', { level: 1 }).innerText(),
    /^Run 1 command and change 3 files in 2 sessions$/,
  );

  // A file of one of them appears: none of them can be answered as it was read.
  await writeFile(join(desk.workspace, 'late.txt'), 'somebody else was here\n');
  const said = review(page).getByRole('alert');
  await said.waitFor();
  assert.match(await said.innerText(), /late\.txt/);
  assert.equal(await list(page).locator('[aria-checked=true]').count(), 0);

  await answer(page).getByRole('button', { name: 'Review the other 3' }).click();
  await review(page).getByText('3 calls together').waitFor();
  await readAll(page);
  await answer(page)
    .getByRole('button', { name: /^Allow all 3 once/ })
    .waitFor();
  await page.keyboard.press('a');
  await page.getByText('3 calls allowed once.').waitFor();
  const results = await Promise.all([made, ran, other]);
  assert.deepEqual(
    results.map((result) => result.isError ?? false),
    [false, false, false],
  );
  for (const [file, text] of Object.entries({
    'a.txt': 'from the first\n',
    'ran.txt': 'ran',
    'b.txt': 'from the second\n',
  }))
    assert.equal(await readFile(join(desk.workspace, file), 'utf8'), text);
  assert.equal(await readFile(join(desk.workspace, 'late.txt'), 'utf8'), 'somebody else was here\n');
  assert.deepEqual(errors, []);
  // What was not in the batch was not answered with it: it ended by the file that is there now.
  assert.equal((await late).isError, true);
  await Promise.all([first.quit(), second.quit()]);
});

test('thirty calls are read by the keyboard, and a thousand are listed in part', async (t) => {
  const { page, errors } = await openDesk(t, browser, { url: at('waiting', '#/approvals') });
  await page.getByText('950 waiting, 50 left').waitFor();
  await page.locator('[data-guard="open"]').waitFor();
  assert.ok((await rows(page).count()) < 120, `${await rows(page).count()} rows are drawn`);
  const select = async (count) => {
    await list(page).focus();
    await page.keyboard.press('Space');
    for (let n = 1; n < count; n++) await page.keyboard.press('Shift+ArrowDown');
    await page.getByText(`${count} selected`).waitFor();
  };
  await select(3);
  await page.keyboard.press('b');
  await review(page).getByText('3 calls together').waitFor();
  await looks(page, 'batch-review');
  await page.evaluate(() => {
    const { desk } = globalThis;
    desk.close('w1', 'denied', 'deny');
    desk.hint('approval.resolved', 'w1');
  });
  await review(page).getByRole('alert').waitFor();
  // The same page with a word more: each theme and each size once is enough.
  for (const [theme, size] of [
    ['light', 'wide'],
    ['dark', 'small'],
  ]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizes[size]);
    await screenshot(page, 'batch-dropped', theme, size);
    assert.deepEqual(await axe(page), [], `dropped, ${theme}, ${size}`);
  }
  await page.setViewportSize(sizes.wide);
  await page.keyboard.press('Escape');

  await select(30);
  await page.keyboard.press('b');
  await review(page).getByText('30 calls together').waitFor();
  assert.equal(
    await answer(page)
      .getByRole('button', { name: /allow all 30 once/i })
      .isDisabled(),
    true,
  );
  await readAll(page);
  assert.equal(await review(page).getByText('Not seen to its end').count(), 0);
  await page.keyboard.press('x');
  await page.getByText('30 calls denied.').waitFor();
  await page.getByText('919 waiting, 50 left').waitFor();

  // The last of a long list is reached, and drawn.
  await page.evaluate(() => document.querySelector('[role=listbox]').scrollTo(0, 1e9));
  await rows(page).filter({ hasText: 'file_998.go' }).waitFor();
  assert.deepEqual(errors, []);
});
