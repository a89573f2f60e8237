// Real MCP clients call through `countersign mcp`, and a person answers on the page.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect, inspect } from './client.mjs';
import { openCard, openDesk, place, showView, startBrowser, startDesk, trust } from './harness.mjs';

const browser = await startBrowser({ after });

const textOf = (result) => result.content.map((block) => block.text);
const writeArgs = (path, content) => ['--tool-name', 'write', '--tool-arg', `file_path=${path}`, `content=${content}`];

async function missing(path) {
  await assert.rejects(access(path), { code: 'ENOENT' });
}

test('the inspector lists the tools, and a call runs after Allow', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { tools } = await inspect(t, desk, 'tools/list').result();
  const write = tools.find((tool) => tool.name === 'write');
  assert.equal(write.annotations.readOnlyHint, false);
  assert.match(write.description, /do not repeat it/);
  assert.equal(tools.find((tool) => tool.name === 'read').annotations.readOnlyHint, true);
  assert.ok(tools.find((tool) => tool.name === 'math_calculate').outputSchema);

  const { page, errors } = await openDesk(t, browser, desk);
  const call = inspect(t, desk, 'tools/call', ...writeArgs('notes.txt', 'written by an agent'));
  await trust(page);
  const card = await openCard(page, 'notes.txt');
  await missing(join(desk.workspace, 'notes.txt'));
  assert.match(await card.innerText(), /written by an agent/);
  await card.getByRole('button', { name: /^Allow once/ }).click();

  const result = await call.result();
  assert.equal(result.code, 0);
  assert.notEqual(result.isError, true);
  assert.match(await readFile(join(desk.workspace, 'notes.txt'), 'utf8'), /^written by an agent\n?$/);
  assert.deepEqual(errors, []);
});

test('a denial with words reaches the client', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);
  const call = inspect(t, desk, 'tools/call', ...writeArgs('notes.txt', 'unwanted'));
  await trust(page);
  const card = await openCard(page, 'notes.txt');
  await card.getByRole('button', { name: /^Deny and tell why/ }).click();
  await card.getByLabel('What the agent is told, word for word').fill('Not here: use docs/ instead.');
  await card.getByRole('button', { name: /^Deny with these words/ }).click();

  const result = await call.result();
  assert.equal(result.isError, true);
  const [reason, words] = textOf(result);
  assert.match(reason, /^The user declined this call\.[^]*reason_code: approval\.user_rejected/);
  assert.equal(words, 'Not here: use docs/ instead.');
  await missing(join(desk.workspace, 'notes.txt'));
  assert.deepEqual(errors, []);
});

test('the card of a client that was killed says that its caller left', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);
  const call = inspect(t, desk, 'tools/call', ...writeArgs('notes.txt', 'never'));
  await trust(page);
  const card = await openCard(page, 'notes.txt');
  await call.kill();
  await card.getByText('The caller left.').waitFor();
  await page.getByRole('option').filter({ hasText: 'Caller left' }).waitFor();
  await missing(join(desk.workspace, 'notes.txt'));
  assert.deepEqual(errors, []);
});

test('a client that is never restarted outlives its desk', async (t) => {
  const at = await place(t);
  const client = await connect(t, at);
  const write = (path, content) => client.call('write', { file_path: path, content });
  const value = async (expression) => (await client.call('math_calculate', { expression })).structuredContent.result;

  assert.equal(await value('17 * 23'), '391');
  const alone = await write('alone.txt', 'nobody is there');
  assert.equal(alone.isError, true);
  await missing(join(at.workspace, 'alone.txt'));

  let desk = await startDesk(t, at);
  let { page } = await openDesk(t, browser, desk);
  assert.equal(await value('2 ^ 10'), '1024');
  const first = write('first.txt', 'one');
  await trust(page);
  await (await openCard(page, 'first.txt')).getByRole('button', { name: /^Allow once/ }).click();
  assert.notEqual((await first).isError, true);
  await access(join(at.workspace, 'first.txt'));

  await desk.stop();
  assert.equal(await value('1 + 1'), '2');
  desk = await startDesk(t, at);
  ({ page } = await openDesk(t, browser, desk));
  const second = write('second.txt', 'two');
  await (await openCard(page, 'second.txt')).getByRole('button', { name: /^Allow once/ }).click();
  assert.notEqual((await second).isError, true);

  // A desk that is killed while a call waits: the client hears of it and stays.
  const third = write('third.txt', 'three');
  await openCard(page, 'third.txt');
  await desk.stop('SIGKILL');
  const lost = await third;
  assert.equal(lost.isError, true);
  assert.match(textOf(lost)[0], /reason_code: tool\.unavailable/);
  await missing(join(at.workspace, 'third.txt'));

  desk = await startDesk(t, at);
  ({ page } = await openDesk(t, browser, desk));
  const fourth = write('fourth.txt', 'four');
  await (await openCard(page, 'fourth.txt')).getByRole('button', { name: /^Allow once/ }).click();
  assert.notEqual((await fourth).isError, true);
  assert.equal(await value('6 * 7'), '42');

  await showView(page, 'Desk');
  const progress = client.heard.filter((message) => message.method === 'notifications/progress');
  assert.ok(progress.some((message) => message.params.message === 'Waiting for approval in Countersign'));
  assert.deepEqual(await client.quit(), { code: 0, signal: null });
});
