// The history of a real desk: a client's calls are allowed and denied on the page, then
// found again by tool and by decision, and read on in their session.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { connect, inspect } from './client.mjs';
import { looks, openCard, openDesk, place, showView, startBrowser, startDesk, trust } from './harness.mjs';

const browser = await startBrowser({ after });

const writeArgs = (path) => ['--tool-name', 'write', '--tool-arg', `file_path=${path}`, 'content=text'];

/** Picks a value of a filter by the keyboard alone. */
async function filter(page, name, value) {
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menu', { name }).getByRole('menuitemcheckbox', { name: value, exact: true });
  await item.waitFor();
  while (!(await item.evaluate((one) => one === document.activeElement))) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `${name}: ${value}` }).waitFor();
}

test('calls of a client are found by tool and by decision, and read in their session', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);

  const allowed = inspect(t, desk, 'tools/call', ...writeArgs('kept.txt'));
  await trust(page);
  await (await openCard(page, 'kept.txt')).getByRole('button', { name: /^Allow once/ }).click();
  assert.equal((await allowed.result()).code, 0);

  const denied = inspect(t, desk, 'tools/call', ...writeArgs('unwanted.txt'));
  const card = await openCard(page, 'unwanted.txt');
  await card.getByRole('button', { name: /^Deny and tell why/ }).click();
  await card.getByLabel('What the agent is told, word for word').fill('Not in this folder.');
  await card.getByRole('button', { name: /^Deny with these words/ }).click();
  assert.equal((await denied.result()).isError, true);

  const client = await connect(t, desk);
  await client.call('math_calculate', { expression: '17 * 23' });

  await showView(page, /^History/);
  const list = page.getByRole('region', { name: 'Calls' });
  const line = (words) => list.getByRole('button', { name: words });
  await page.getByText('3 calls', { exact: true }).waitFor();
  await line('Calculate 17 * 23').waitFor();
  assert.match(await list.innerText(), /You: “Not in this folder\.”[^]*denied by you[^]*allowed once by you/);

  // What comes while the list is read is counted and moves nothing.
  const stood = await line('Calculate 17 * 23').boundingBox();
  await client.call('math_calculate', { expression: '1 + 1' });
  const newer = page.getByRole('button', { name: '1 new call' });
  await newer.waitFor();
  assert.deepEqual(await line('Calculate 17 * 23').boundingBox(), stood);
  await newer.click();
  await page.getByText('4 calls', { exact: true }).waitFor();

  await filter(page, 'Tool', 'write');
  await page.getByText('2 calls', { exact: true }).waitFor();
  await filter(page, 'Decision', 'Denied');
  await page.getByText('1 call', { exact: true }).waitFor();
  await line('Write unwanted.txt').waitFor();
  await filter(page, 'Decided by', 'You');
  await page.getByText('1 call', { exact: true }).waitFor();
  await looks(page, 'history-filtered');

  // Read it by the keyboard: j to the call, Enter into its session, Esc back, Esc clears.
  await list.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const story = page.getByRole('region', { name: 'Story of the session' });
  const opened = story.getByRole('region', { name: 'Opened call' });
  await opened.getByText('The user declined this call', { exact: false }).first().waitFor();
  await looks(page, 'history-read');
  assert.match(await page.getByRole('link', { name: 'Open on the Desk' }).getAttribute('href'), /^#\/desk\/./);
  await page.keyboard.press('Escape');
  await story.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByText('4 calls', { exact: true }).waitFor();

  // The text finds the path of the one call and the words about the other.
  await page.keyboard.press('/');
  await page.keyboard.type('kept');
  await page.getByText('1 call', { exact: true }).waitFor();
  await line('Write kept.txt').waitFor();
  assert.equal(await list.locator('mark').first().innerText(), 'kept');
  await page.keyboard.press('Escape');
  await page.keyboard.type('this FOLDER');
  await line('Write unwanted.txt').waitFor();
  await page.getByText('1 call', { exact: true }).waitFor();

  // A call is opened by a click as well, and its session on the Desk.
  await line('Write unwanted.txt').click();
  await page.getByRole('link', { name: 'Open on the Desk' }).click();
  await page.getByRole('log', { name: 'Timeline' }).getByRole('button', { name: 'Write unwanted.txt' }).waitFor();
  assert.deepEqual(errors, []);
});
