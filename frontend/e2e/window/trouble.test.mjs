// Where the machine does not give what it should: no screen, no message bus, no locale, a
// home that cannot be written, a disk that is full. The window says so, and stays.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from '../client.mjs';
import { trust } from './demo.mjs';
import { launch, openWindow, place } from './harness.mjs';

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
