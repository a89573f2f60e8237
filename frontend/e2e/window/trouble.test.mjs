// Where the machine does not give what it should: no screen, no message bus, no locale, a
// home that cannot be written, a disk that is full. The window says so, and stays.
import assert from 'node:assert/strict';
import { access, chmod, chown, copyFile, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from '../client.mjs';
import { scratch } from '../harness.mjs';
import { trust } from './demo.mjs';
import { executable, launch, openWindow, place, run, shim } from './harness.mjs';
import { axeFaults } from './look.mjs';

const nobody = 65534;

for (const [what, DISPLAY] of [
  ['no screen', undefined],
  ['a screen that is not there', ':4711'],
]) {
  test(`with ${what} it says so and names the way without one`, async (t) => {
    const program = launch(t, await place(t), { env: { DISPLAY } });
    assert.deepEqual(await program.end(), { code: 1, signal: null });
    const said = program
      .output()
      .trim()
      .split('\n')
      .filter((line) => !/^\(.*Gtk-WARNING/.test(line) && line);
    assert.deepEqual(said, [
      'There is no screen to open a window on. Start the desk for a browser with: countersign serve',
    ]);
  });
}

test('it opens without a message bus, a runtime folder and a locale', async (t) => {
  const at = await place(t);
  const env = { DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined, LANG: 'C' };
  const window = await openWindow(t, at, { env });
  const client = await connect(t, window);
  const call = client.call('write', { file_path: 'naïve.txt', content: 'été\n' });
  await trust(window.page);
  const card = await window.page.card('naïve.txt');
  assert.match(await window.page.text(card), /été/);
  await window.page.click('button', /^Allow once/, card);
  assert.notEqual((await call).isError, true);
  assert.equal(await readFile(join(at.workspace, 'naïve.txt'), 'utf8'), 'été\n');
  assert.deepEqual(await window.stop(), { code: 0, signal: null });
});

test('on a disk that is full nothing runs, the window says why, and goes on when there is room', async (t) => {
  const at = await place(t);
  const window = await openWindow(t, at, { wrap: ['env', '--block-signal=XFSZ'] });
  const { page } = window;
  const client = await connect(t, window);
  const write = (name) => client.call('write', { file_path: name, content: 'one\n' });
  const room = (limit) => run(t, 'prlimit', ['--pid', String(window.pid), `--fsize=${limit}:`]).end();
  const before = write('before.txt');
  await trust(page);
  await page.click('button', /^Allow once/, await page.card('before.txt'));
  assert.notEqual((await before).isError, true);

  // No file of this program can grow past the log of its database: to it that is a disk without
  // room. The limit holds for memory that its page is sent too, so it is not nothing.
  const { size } = await stat(join(at.home, 'countersign.db-wal'));
  assert.ok(size > 64 << 10, `the log holds ${size} bytes`);
  await room(size);
  const refused = await write('refused.txt');
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /reason_code: tool\.storage_unavailable/);
  await assert.rejects(access(join(at.workspace, 'refused.txt')), { code: 'ENOENT' });
  await page.says(/The disk is full, so no call can be recorded and none runs\. Free some space/);
  await page.says(/Store cannot write/);

  await room('unlimited');
  const after = write('after.txt');
  await page.click('button', /^Allow once/, await page.card('after.txt'));
  assert.notEqual((await after).isError, true);
  await page.says(/Store healthy/);
  assert.deepEqual(await window.stop(), { code: 0, signal: null });
});

/**
 * Somebody for whom the mode of a file holds: this user, or nobody where this one is root.
 * They get a window of their own to start, where they can reach it.
 */
async function somebody(t) {
  const at = await place(t);
  if (process.getuid() !== 0) return { at, options: {} };
  const programs = await scratch(t, 'countersign-programs');
  const [program, preload] = [join(programs, 'countersign-desktop'), join(programs, 'shim.so')];
  await copyFile(executable, program);
  await copyFile(shim(), preload);
  await chmod(programs, 0o755);
  for (const folder of [at.user, at.workspace]) await chown(folder, nobody, nobody);
  const wrap = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  // The bus and the runtime folder are root's.
  const env = { DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined };
  return { at, options: { program, preload, wrap, env } };
}

test('with a home that cannot be written it says so in its window', async (t) => {
  const { at, options } = await somebody(t);
  const first = await openWindow(t, at, options);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });

  for (const name of await readdir(at.home)) await chmod(join(at.home, name), 0o500);
  await chmod(at.home, 0o500);
  try {
    const shows = ['heading', 'Countersign could not start'];
    const window = await openWindow(t, at, { ...options, shows });
    const words = /The home folder cannot be written, so no call can be recorded and none runs\./;
    await window.page.says(words);
    assert.match(window.output(), words);
    assert.deepEqual(await axeFaults(window.page), []);
    assert.deepEqual(await window.stop(() => window.keys('alt+F4')), { code: 1, signal: null });
  } finally {
    await chmod(at.home, 0o700);
  }
});
