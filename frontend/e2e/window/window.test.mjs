// The window as a window: its size and its limits, how it is left and found again, how it
// ends, and that there is one of it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { connect } from '../client.mjs';
import { until } from '../harness.mjs';
import { trust } from './demo.mjs';
import { group, launch, openWindow, place, run } from './harness.mjs';
import { xdotool } from './screen.mjs';

const execute = promisify(execFile);
const orderly = { code: 0, signal: null };

/** What the agent hears of a call that waited when the window was closed. */
const unbegun = /closed before this call began\. Nothing of it was done/;

/** The size as the screen and the page have it. */
async function sizeOf(window) {
  const { width, height } = await window.place();
  assert.deepEqual(await window.page.run(() => [innerWidth, innerHeight]), [width, height]);
  return [width, height];
}

const openView = (page) => page.run(() => document.querySelector('nav [aria-current="page"]').hash);

test('size, place and view are found again, and no size is too small', async (t) => {
  const at = await place(t);
  let window = await openWindow(t, at);
  assert.deepEqual(await sizeOf(window), [1280, 800]);
  await xdotool('windowsize', window.id, 300, 200);
  await until(async () => (await window.place()).width === 900, 'the window is as narrow as it gets');
  await until(async () => (await window.page.run(() => innerWidth)) === 900, 'the page knows');
  assert.deepEqual(await sizeOf(window), [900, 600]);

  await window.resize(1010, 710);
  await xdotool('windowmove', '--sync', window.id, 120, 60);
  await window.page.show('Tools');
  assert.deepEqual(await window.stop(), orderly);

  window = await openWindow(t, at);
  await until(async () => (await window.page.run(() => innerWidth)) === 1010, 'the page is as wide as it was');
  assert.deepEqual(await window.place(), { x: 120, y: 60, width: 1010, height: 710 });
  assert.equal(await openView(window.page), '#/tools');
  // Closed by its key, with nothing waiting: no question.
  assert.deepEqual(await window.stop(() => window.keys('alt+F4')), orderly);
});

test('a first window leaves room for its frame on a screen that is no larger', async (t) => {
  const screen = run(t, 'Xvfb', ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']);
  const number = () => /^\d+$/m.exec(screen.output())?.[0];
  await until(async () => number() !== undefined, 'the small screen is there');
  const DISPLAY = `:${number()}`;
  const program = launch(t, await place(t), { env: { DISPLAY } });
  const ask = async (...args) => (await execute('xdotool', args, { env: { ...process.env, DISPLAY } })).stdout;
  let size;
  await until(async () => {
    const [id] = (
      await ask('search', '--all', '--onlyvisible', '--pid', program.pid, '--name', '').catch(() => '')
    ).split('\n');
    if (!id) return false;
    size = /WIDTH=(\d+)\s+HEIGHT=(\d+)/
      .exec(await ask('getwindowgeometry', '--shell', id))
      .slice(1)
      .map(Number);
    return true;
  }, `the window is there: ${program.output()}`);
  assert.deepEqual(size, [1264, 744]);
});

test('a window that is closed while a call waits asks first', async (t) => {
  const window = await openWindow(t, await place(t));
  const { page } = window;
  const client = await connect(t, window);
  const call = client.call('write', { file_path: 'waits.txt', content: 'one' });
  await trust(page);
  await page.card('waits.txt');

  await window.keys('alt+F4');
  const question = await page.one('alertdialog', '1 call waits for you');
  await window.keys('a');
  await page.click('button', /^Keep open/, question);
  await page.none('alertdialog');
  assert.ok(window.running());
  await assert.rejects(access(join(window.workspace, 'waits.txt')), { code: 'ENOENT' });

  await window.keys('alt+F4');
  await page.one('alertdialog', '1 call waits for you');
  const quit = await page.one('button', 'Quit');
  const ended = await window.stop(() => window.point(quit));
  assert.deepEqual(ended, orderly);
  assert.match((await call).content[0].text, unbegun);
  await assert.rejects(access(join(window.workspace, 'waits.txt')), { code: 'ENOENT' });
});

test('SIGTERM ends it in order, and a call that waited is found again as interrupted', async (t) => {
  const at = await place(t);
  let window = await openWindow(t, at);
  const client = await connect(t, window);
  const call = client.call('write', { file_path: 'waits.txt', content: 'one' });
  await trust(window.page);
  await window.page.card('waits.txt');
  assert.deepEqual(await window.stop(), orderly);
  assert.match((await call).content[0].text, unbegun);
  await until(async () => (await group(window.pid)).length === 0, 'nothing is left of it');

  window = await openWindow(t, at);
  const card = await window.page.card('waits.txt');
  await window.page.says(/The call was interrupted\./, 'the card says so', card);
  await assert.rejects(access(join(window.workspace, 'waits.txt')), { code: 'ENOENT' });
});

test('a second start brings the first to the front, without a message bus', async (t) => {
  const at = await place(t);
  const env = { DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined };
  const window = await openWindow(t, at, { env });
  await xdotool('windowminimize', '--sync', window.id);
  const second = launch(t, { ...at, workspace: at.user }, { env });
  assert.deepEqual(await second.end(), orderly, second.output());
  assert.ok(second.output().includes(`It works in ${at.workspace}.`), second.output());
  await until(async () => (await xdotool('getactivewindow').catch(() => '')) === window.id, 'the first is in front');
  await window.page.show('Tools');
  assert.ok(window.running());
});
