// A change is read before it is allowed: side by side, hunk by hunk, with more of the file
// around it; and again when it is done. What a search found opens at its line. Of two changes one
// is kept, and the file, the agent and the history hold that one.
import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import { looks, openCard, openDesk, place, showView, startBrowser, startDesk, trust } from './harness.mjs';

const browser = await startBrowser({ after });

const lines = (changed = {}) =>
  ['package a', ...Array.from({ length: 160 }, (_, i) => changed[i + 2] ?? `// line ${i + 2} of the file`), ''].join(
    '\n',
  );

test('a change is read side by side, with more of the file around it, and its search opens at a line', async (t) => {
  const at = await place(t);
  const file = join(at.workspace, 'a.go');
  await writeFile(file, lines());
  await writeFile(join(at.workspace, '.env'), 'TOKEN=line 40\n');
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);
  await client.call('read', { file_path: 'a.go' });
  const content = lines({ 40: 'var before, now = 1, 2', 120: 'func next() string { return "next" }' });
  const written = client.call('write', { file_path: 'a.go', content });
  await trust(page);
  const card = await openCard(page, 'a.go');
  const head = card.getByText(/^Change \d of 2$/);
  assert.equal(await head.innerText(), 'Change 1 of 2');
  // Colours come from the worker, under the page's own rules for scripts.
  await card.locator('.diff .c').first().waitFor();

  await page.keyboard.press('v');
  const pair = card.locator('.dp').filter({ hasText: 'var before' });
  assert.deepEqual(await pair.locator('code').allInnerTexts(), ['// line 40 of the file', 'var before, now = 1, 2']);
  await page.keyboard.press('n');
  assert.equal(await head.innerText(), 'Change 2 of 2');
  await card.locator('[data-hunk="1"]').waitFor();
  await page.keyboard.press('c');
  await card.getByText('// line 98 of the file').first().waitFor();
  await card.getByText('// line 143 of the file').first().waitFor();
  assert.equal(await card.getByText('// line 96 of the file').count(), 0, 'twenty lines at a time');
  await page.keyboard.press('p');
  assert.equal(await head.innerText(), 'Change 1 of 2');
  await looks(page, 'diff-split');
  await page.keyboard.press('v');
  await card
    .getByRole('button', { name: /^Show 20 lines before this change/ })
    .first()
    .click();
  await card.getByText('// line 18 of the file').first().waitFor();
  await looks(page, 'diff-context');
  await page.locator('[data-guard="open"]').waitFor();
  await page.keyboard.press('a');
  assert.notEqual((await written).isError, true);
  assert.equal(await readFile(file, 'utf8'), content);

  // The same change, done: its context is still there, from the file as it is now.
  await showView(page, /^Desk/);
  await page.getByRole('button', { name: /^Write a\.go/ }).click();
  const opened = page.getByRole('region', { name: 'Opened call' });
  await opened.locator('[data-hunk="0"]').waitFor();
  await page.keyboard.press('c');
  await opened.getByText('// line 18 of the file').first().waitFor();
  await page.keyboard.press('Escape');

  // Once the file is another, no line of it is passed off as what stood there.
  await appendFile(file, '// changed meanwhile\n');
  await page.getByRole('button', { name: /^Write a\.go/ }).click();
  await opened.locator('[data-hunk="0"]').waitFor();
  await page.keyboard.press('c');
  await opened
    .getByText(/^The file changed since/)
    .first()
    .waitFor();
  assert.equal(await opened.getByText('// line 18 of the file').count(), 0);
  await page.keyboard.press('Escape');

  await client.call('grep', { pattern: 'line 4[01]' });
  await page.getByRole('button', { name: /^Search line 4/ }).click();
  const found = opened.getByRole('region', { name: 'What was found' });
  await found.locator('mark').first().waitFor();
  assert.deepEqual(await found.locator('mark').allInnerTexts(), ['line 41']);
  await looks(page, 'found');
  await found.getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'File a.go' });
  assert.match(await panel.locator('.now').innerText(), /^41\s+\/\/ line 41 of the file$/);
  await looks(page, 'excerpt');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await opened.waitFor();

  // One change of two is kept.
  const before = await readFile(file, 'utf8');
  await client.call('read', { file_path: 'a.go' });
  const kept = client.call('write', {
    file_path: 'a.go',
    content: before.replace('var before', 'var after').replace('"next"', '"last"'),
  });
  await showView(page, /^Approvals/);
  await openCard(page, 'a.go');
  const boxes = card.getByRole('checkbox', { name: /^Keep change/ });
  assert.equal(await boxes.count(), 2);
  await page.keyboard.press('n');
  await page.keyboard.press('h');
  assert.equal(await boxes.nth(1).getAttribute('aria-checked'), 'false');
  assert.match(await card.getByRole('heading', { level: 1 }).innerText(), /, 1 of 2 changes$/);
  const left = card.locator('.dl.left');
  assert.equal(await left.count(), 2);
  await looks(page, 'diff-kept');
  await page.keyboard.press('h');
  assert.equal(await left.count(), 0, 'what was left out is kept again');
  await page.keyboard.press('h');
  await page.locator('[data-guard="open"]').waitFor();
  await card.getByRole('button', { name: /^Allow 1 of 2 changes once/ }).waitFor();
  await page.keyboard.press('a');
  const answer = await kept;
  assert.match(
    answer.content[0].text,
    /The user allowed 1 of 2 changes, and nothing else was changed\. Made: line 40 /,
  );
  assert.match(answer.content[0].text, /Left out: line 120 /);
  assert.equal(await readFile(file, 'utf8'), before.replace('var before', 'var after'));
  await showView(page, /^Desk/);
  const line = page.locator('.ln').filter({ hasText: 'kept 1 of 2 changes' });
  await line.getByRole('button', { name: /^Write a\.go/ }).click();
  await opened.getByText('You kept 1 of 2 changes. Left out: line 120 (+1 −1).').waitFor();
  assert.equal(await opened.locator('.dl.a').count(), 1, 'the diff is of what was done');
  await page.keyboard.press('Escape');
  await showView(page, /^History/);
  await page
    .getByText(/kept 1 of 2 changes/)
    .first()
    .waitFor();
  assert.deepEqual(errors, []);
});
