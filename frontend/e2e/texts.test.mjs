// Text that is too much, and the page as it is read out: what is drawn of a text without end,
// and the order in which a screen reader comes to things.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { axe, nodes, openDesk, openPage, repository, screenshot, startBrowser, timeline } from './harness.mjs';
import { serveStage } from './stage/built.mjs';

const browser = await startBrowser({ after });
const at = await serveStage({ after });

const { id, right_behaviour: right } = (await readFile(join(repository, 'tools/testdata/cases/issues.jsonl'), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .find((one) => one.id === 'iss-048');

/** Scrolls to the end, which moves away as long as more is drawn on the way. */
const scrollDown = (body) =>
  body.evaluate(async (box) => {
    for (let i = 0, rests = 0; i < 600 && rests < 6; i++) {
      const before = [box.scrollTop, box.scrollHeight].join();
      box.scrollTop = box.scrollHeight;
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      rests = [box.scrollTop, box.scrollHeight].join() === before ? rests + 1 : 0;
    }
  });

test('text without end is drawn where it is come to, and none of a decision is cut', async () => {
  for (const [id, end, theme, size] of [
    ['h0', 'rm -rf /srv/data', 'light', 'wide'],
    ['h1', 'last line', 'dark', 'small'],
    ['h2', 'the last argument', 'light', 'small'],
  ]) {
    const { page, errors, close } = await openPage(browser, at('hostile', `#/approvals/${id}`), { theme, size });
    const body = page.getByRole('region', { name: 'What it will do' });
    await body.waitFor();
    assert.ok((await nodes(page)) < 25_000, `${id}: ${await nodes(page)} elements`);
    await screenshot(page, `hostile-${id}`, theme, size);
    assert.deepEqual(await axe(page), [], `${id}, ${theme}`);
    await scrollDown(body);
    await body.getByText(end).last().waitFor();
    assert.ok((await nodes(page)) < 25_000, `${id} at its end: ${await nodes(page)} elements`);
    assert.equal(await page.evaluate(() => document.querySelectorAll('script[src=""], .body img').length), 0);
    assert.deepEqual(errors, []);
    await close();
  }
  const { page, errors, close } = await openPage(browser, at('hostile'), { theme: 'dark' });
  await timeline(page).waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('o');
  await page.getByRole('region', { name: 'Text that the model read' }).waitFor();
  assert.ok((await nodes(page)) < 25_000, `the desk: ${await nodes(page)} elements`);
  await screenshot(page, 'hostile-desk', 'dark', 'wide');
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(errors, []);
  await close();
});

/** Holds each button of what asks to being there whole, with nothing above it. */
async function reachable(answers, what) {
  const hidden = await answers.getByRole('button').evaluateAll((all) =>
    all
      .filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || !one.contains(above);
      })
      .map((one) => one.textContent.trim()),
  );
  assert.deepEqual(hidden, [], what);
  assert.ok((await answers.getByRole('button').count()) > 1, `${what}: there are answers`);
}

test(`${id}: ${right}: a question of fifty lines hides no answer`, async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i} of the words`).join('\n');
  const asks = {
    'a call of any tool': ['#/approvals/c4'],
    'a question of trust': ['#/approvals', (page) => page.getByText('Trust this folder').first().click()],
    'words for the agent': ['#/approvals/c4', (page) => words(page, 'f', 'What the agent is told')],
    'changed arguments': ['#/approvals/c1', (page) => words(page, 'e', 'command')],
    'a batch': ['#/approvals/c1', review],
  };
  async function words(page, key, name) {
    await page.keyboard.press(key);
    await page.getByRole('textbox', { name }).first().fill(lines);
  }
  async function review(page) {
    await page.getByRole('listbox', { name: /Waiting calls/ }).focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('b');
    await page.getByRole('article', { name: 'Review of the batch' }).waitFor({ timeout: 5_000 });
  }
  for (const [what, [hash, ask = async () => {}]] of Object.entries(asks)) {
    const { page, errors, close } = await openPage(browser, at('absurdAnswers', hash), { size: 'small' });
    const answers = page.getByRole('group', { name: /^Answer/ });
    await answers.waitFor();
    await ask(page);
    await screenshot(page, `question-${what.replaceAll(' ', '-')}`, 'light', 'small');
    await reachable(answers, what);
    assert.deepEqual(await axe(page), [], what);
    assert.deepEqual(errors, []);
    await close();
  }
});

// Times go on while the page is looked at.
const steady = (tree) => tree.replace(/\d+ (s|min|h)( \d+ (min|s))?\b/g, 'some time');

test('the tree of each kind of card reads verb, risk, evidence, hidden spans, why and answers', async (t) => {
  const { page, errors } = await openDesk(t, browser, { url: at('full', '#/approvals/a1') });
  for (const [name, hash, role] of [
    ['diff', '#/approvals/a1', 'Approval'],
    ['command', '#/approvals/a5', 'Approval'],
    ['generic', '#/approvals/a4', 'Approval'],
    ['restricted', '#/approvals/a2', 'Approval'],
    ['trust', '', 'Trust question'],
  ]) {
    if (hash) await page.goto(at('full', hash));
    else await page.getByRole('option').filter({ hasText: 'Trust this folder?' }).click();
    const card = page.getByRole('article', { name: role });
    await card.locator('[data-guard="open"]').waitFor();
    const tree = `${steady(await card.ariaSnapshot())}\n`;
    const file = new URL(`golden/card-${name}.txt`, import.meta.url);
    if (process.env.UPDATE_GOLDEN) await writeFile(file, tree);
    assert.equal(tree, await readFile(file, 'utf8'), name);
    if (name === 'command') {
      await screenshot(page, 'card-hidden', 'light', 'wide');
      await page.keyboard.press('r');
      await card.getByRole('button', { name: 'Hide again R' }).waitFor();
      await card.getByText('hunter22').first().waitFor();
      await screenshot(page, 'card-revealed', 'light', 'wide');
      assert.deepEqual(await axe(page), []);
    }
  }
  assert.deepEqual(errors, []);
});

test('the tree that a screen reader gets of a card and a timeline reads in order', async (t) => {
  const inOrder = (tree, parts) => {
    let from = 0;
    for (const part of parts) {
      const found = tree.slice(from).search(part);
      assert.ok(found >= 0, `${part} comes after what stands before it:\n${tree}`);
      from += found + 1;
    }
  };
  const { page, errors } = await openDesk(t, browser, { url: at('full', '#/approvals/a1') });
  const card = page.getByRole('article', { name: 'Approval' });
  await card.getByRole('group', { name: 'Answer' }).waitFor();
  inOrder(await card.ariaSnapshot(), [
    /heading "Write 1 file"/,
    /Medium risk/,
    /region "What it will do"/,
    /region "Change of internal\/dispatch\/retry_backoff_policy.go"/,
    /removed/,
    /Why you are asked/,
    /group "Answer"/,
    /button "Deny X"/,
    /button "Allow once A"/,
  ]);
  await page.keyboard.press('Control+1');
  await timeline(page).waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  inOrder(await page.getByRole('region', { name: 'Session', exact: true }).ariaSnapshot(), [
    /heading "Retry backoff for the dispatcher"/,
    /textbox "Search this session"/,
    /log "Timeline"/,
    /You/,
    /The dispatcher hammers a failing host/,
    /Agent/,
    /Done/,
    /button "List internal\/dispatch"/,
    /Denied/,
    /Waiting/,
    /link "Answer"/,
    /textbox "Task for the built-in agent"/,
    /button "Stop turn Esc"/,
  ]);
  assert.deepEqual(errors, []);
});
