// An agent calls, and a person answers in the window: by a click, by the keyboard, with
// words, or not at all. The agent is the MCP Inspector, which starts `countersign mcp`
// as any client does.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { inspect } from '../client.mjs';
import { trust } from './demo.mjs';
import { openWindow, place } from './harness.mjs';

const reply = 'What the agent is told, word for word';

/** Lets the inspector write a file. */
function write(t, window, path, content) {
  return inspect(
    t,
    window,
    'tools/call',
    '--tool-name',
    'write',
    '--tool-arg',
    `file_path=${path}`,
    `content=${content}`,
  );
}

async function missing(path) {
  await assert.rejects(access(path), { code: 'ENOENT' });
}

/** The call has run, and the agent knows it. */
async function allowed(call, file, content) {
  const result = await call.result();
  assert.equal(result.code, 0);
  assert.notEqual(result.isError, true, JSON.stringify(result));
  assert.equal((await readFile(file, 'utf8')).trimEnd(), content);
}

test('calls of the inspector are answered in the window', async (t) => {
  const window = await openWindow(t, await place(t));
  const { page } = window;
  const at = (name) => join(window.workspace, name);

  await t.test('allowed by a click of the driver', async (t) => {
    const call = write(t, window, 'clicked.txt', 'one');
    await trust(page);
    const card = await page.card('clicked.txt');
    await missing(at('clicked.txt'));
    assert.match(await page.text(card), /one/);
    await page.click('button', /^Allow once/, card);
    await allowed(call, at('clicked.txt'), 'one');
  });

  await t.test('allowed by the pointer of the screen', async (t) => {
    const call = write(t, window, 'pointed.txt', 'two');
    const card = await page.card('pointed.txt');
    await missing(at('pointed.txt'));
    await window.point(await page.one('button', /^Allow once/, card));
    await allowed(call, at('pointed.txt'), 'two');
  });

  await t.test('allowed by the key that the button shows', async (t) => {
    const call = write(t, window, 'typed.txt', 'three');
    await page.card('typed.txt');
    await missing(at('typed.txt'));
    await window.keys('a');
    await allowed(call, at('typed.txt'), 'three');
  });

  await t.test('high risk is allowed by Ctrl+Enter, and not by a letter', async (t) => {
    const call = write(t, window, '.env', 'KEY=four');
    const card = await page.card('.env');
    assert.match(await page.text(card), /High risk/);
    await window.keys('a');
    await page.says(/This call is risky: hold the button for 0\.7 s, or press Ctrl\+Enter\./);
    await missing(at('.env'));
    await window.keys('ctrl+Return');
    await allowed(call, at('.env'), 'KEY=four');
  });

  await t.test('denied with words, which the agent reads', async (t) => {
    const call = write(t, window, 'unwanted.txt', 'five');
    const card = await page.card('unwanted.txt');
    await window.keys('f');
    await page.type('textbox', reply, 'Not here: use docs/ instead.');
    await page.click('button', /^Deny with these words/, card);
    const result = await call.result();
    assert.equal(result.isError, true);
    const [reason, words] = result.content.map((block) => block.text);
    assert.match(reason, /^The user declined this call\.[^]*reason_code: approval\.user_rejected/);
    assert.equal(words, 'Not here: use docs/ instead.');
    await missing(at('unwanted.txt'));
  });

  await t.test('cancelled: the card of a client that is gone says so', async (t) => {
    const call = write(t, window, 'never.txt', 'six');
    const card = await page.card('never.txt');
    await call.kill();
    await page.says(/The caller left\./, 'the card says that its caller left', card);
    await missing(at('never.txt'));
  });
});
