// What a start looks like, and the clipboard, which the window has from GTK alone.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { until } from '../harness.mjs';
import { launch, openWindow, place } from './harness.mjs';
import { pixels } from './screen.mjs';

// In the middle of the screen, where the window opens and its page is empty.
const middle = { x: 700, y: 450, width: 2, height: 2 };
const pageColour = { dark: '1a1b1f', light: 'ffffff' };

for (const theme of ['dark', 'light']) {
  test(`a first start in the ${theme} theme begins in it, and never shows the other`, async (t) => {
    const at = await place(t);
    await mkdir(at.home, { mode: 0o700 });
    await writeFile(join(at.home, 'config.json'), JSON.stringify({ theme }));
    const program = launch(t, at);
    const seen = new Set();
    const look = async () => {
      seen.add((await pixels(middle)).rgb.subarray(0, 3).toString('hex'));
      return seen.has(pageColour[theme]);
    };
    await until(look, 'the page is drawn', 30_000);
    // The screen itself is black.
    const wrong = [...seen].filter((colour) => {
      const light = parseInt(colour.slice(0, 2), 16) > 0x80;
      return colour !== '000000' && light !== (theme === 'light');
    });
    assert.deepEqual(wrong, [], `seen: ${[...seen]}`);
    program.child.kill('SIGTERM');
    assert.deepEqual(await program.end(), { code: 0, signal: null });
  });
}

test('what is copied is on the clipboard, character for character', async (t) => {
  const window = await openWindow(t, await place(t));
  const text = 'naïve ✓ 𝄞\n\u202Eline\u2028 "two" </script>\t';
  const got = await window.page.run(async (text) => {
    await globalThis.go.main.Window.Copy(text);
    return globalThis.runtime.ClipboardGetText();
  }, text);
  assert.equal(got, text);
  assert.deepEqual(await window.stop(), { code: 0, signal: null });
});

test('a window that was maximised is so again, and has its other place back afterwards', async (t) => {
  const at = await place(t);
  const file = join(at.home, 'window.json');
  const left = { width: 1000, height: 700, x: 60, y: 80, placed: true, maximised: true, view: 'tools' };
  await mkdir(at.home, { mode: 0o700 });
  await writeFile(file, JSON.stringify(left));
  const window = await openWindow(t, at);
  const width = async () => (await window.place()).width;
  await until(async () => (await width()) > 1300, 'it fills the screen');
  await window.page.run(() => globalThis.runtime.WindowUnmaximise());
  await until(async () => (await width()) === left.width, 'it has its size back');
  assert.deepEqual(await window.stop(), { code: 0, signal: null });
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { ...left, maximised: false });
});
