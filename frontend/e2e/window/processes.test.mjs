// Programs in the window: what a command printed in the timeline, and a server that is
// read, written to and stopped, whole at both sizes and in both themes.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sizes, until } from '../harness.mjs';
import { scripted } from '../scripted.mjs';
import { trust } from './demo.mjs';
import { keys } from './driver.mjs';
import { openWindow, picture, place } from './harness.mjs';
import { axeFaults, layoutFaults } from './look.mjs';

const themes = { light: { GTK_THEME: 'Adwaita' }, dark: { GTK_THEME: 'Adwaita:dark' } };

/** Looks at what is shown at both sizes, and gives what is cut, covered or found by axe. */
async function look(window, name) {
  const faults = [];
  for (const { width, height } of Object.values(sizes)) {
    await window.resize(width, height);
    await until(async () => (await window.page.run(() => innerWidth)) === width, `the page is ${width} wide`);
    await picture(window, `${name}-${width}x${height}`);
    for (const fault of [...(await layoutFaults(window.page)), ...(await axeFaults(window.page))])
      faults.push(`${name}, ${width}: ${fault}`);
  }
  return faults;
}

for (const [theme, env] of Object.entries(themes)) {
  test(`what an agent runs is read, written to and stopped in the window, ${theme}`, async (t) => {
    const ready = await scripted(await place(t), 'Test and serve', [
      ['I run the tests.', 'bash', { command: 'sh test.sh' }],
      ['I start the server.', 'process', { action: 'start', command: 'sh server.sh' }],
      ['It runs.'],
    ]);
    const window = await openWindow(t, ready, { args: ready.args, env });
    const { page } = window;
    const faults = [];
    await page.show('Desk');
    await page.type('textbox', 'Task for the built-in agent', 'Test and serve.');
    await page.press(keys.enter);
    await trust(page);
    for (const command of ['sh test.sh', 'sh server.sh']) {
      await page.card(command);
      await page.press(keys.control, keys.enter);
    }

    await page.show('Desk');
    await page.says(/It runs\./);
    await page.click('button', /^Run sh test\.sh/);
    await page.says(/Exit code 1/);
    await page.says(/FAIL +cart\.test: expected 1216, got 1215\n100 %/);
    faults.push(...(await look(window, `terminal-${theme}`)));

    await page.show('Processes');
    const log = await page.one('log', 'What p1 prints');
    await page.says(/ready on port 5173/, 'the server is ready', log);
    faults.push(...(await look(window, `processes-running-${theme}`)));
    await page.press('i');
    await page.press('h', 'i');
    await page.press(keys.enter);
    await page.says(/got hi/, 'the server answers', log);
    await page.press(keys.escape);
    await page.press('x');
    await page.one('group', 'Stop p1');
    faults.push(...(await look(window, `processes-stop-${theme}`)));
    await page.click('button', 'Stop p1');
    await page.says(/Stopped/);
    assert.deepEqual(faults, []);
    assert.deepEqual(await window.stop(), { code: 0, signal: null });
  });
}
