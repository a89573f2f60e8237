// Programs in the window: what a command printed in the timeline, and a server that is
// read, written to and stopped, whole at both sizes and in both themes.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until } from '../harness.mjs';
import { scripted } from '../scripted.mjs';
import { trust } from './demo.mjs';
import { keys } from './driver.mjs';
import { axeIn, inEachSize, openWindow, picture, place } from './harness.mjs';
import { axeFaults, layoutFaults } from './look.mjs';

const themes = { light: { GTK_THEME: 'Adwaita' }, dark: { GTK_THEME: 'Adwaita:dark' } };

/** Looks at what is shown, and gives what is cut, covered or found by axe. */
async function look(window, name, theme) {
  const faults = [];
  await inEachSize(window, theme, async (size) => {
    await picture(window, `${name}-${theme}-${size}`);
    const found = await layoutFaults(window.page);
    if (axeIn(theme, size)) found.push(...(await axeFaults(window.page)));
    faults.push(...found.map((fault) => `${name}, ${size}: ${fault}`));
  });
  return faults;
}

/** Allows a call by the letter of its button, which counts once it stayed alone for a moment. */
async function allowOnce(page, command) {
  await page.card(command);
  const row = await page.run(() => document.querySelector('[role=option][aria-selected=true]').id);
  await page.press('a');
  // Below the pointer a row keeps its place when it is answered.
  await until(() => page.run((id) => !document.querySelector(`[id="${id}"]:not(.gone)`), row), `${command} is allowed`);
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
      await allowOnce(page, command);
    }

    await page.show('Desk');
    await page.says(/It runs\./);
    await page.click('button', /^Run sh test\.sh/);
    await page.says(/Exit code 1/);
    await page.says(/FAIL +cart\.test: expected 1216, got 1215\n100 %/);
    faults.push(...(await look(window, 'terminal', theme)));

    await page.show('Processes');
    const log = await page.one('log', 'What p1 prints');
    await page.says(/ready on port 5173/, 'the server is ready', log);
    faults.push(...(await look(window, 'processes-running', theme)));
    await page.press('i');
    await page.press('h', 'i');
    await page.press(keys.enter);
    await page.says(/got hi/, 'the server answers', log);
    await page.press(keys.escape);
    await page.press('x');
    await page.one('group', 'Stop p1');
    faults.push(...(await look(window, 'processes-stop', theme)));
    await page.click('button', 'Stop p1');
    await page.says(/Stopped/);
    assert.deepEqual(faults, []);
    assert.deepEqual(await window.stop(), { code: 0, signal: null });
  });
}

test('the pointer chooses the process that it is on, and the chosen one stays in view', async (t) => {
  const commands = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `sh server.sh ${name}`);
  const ready = await scripted(await place(t), 'Start servers', [
    ...commands.map((command) => ['I start one.', 'process', { action: 'start', command }]),
    ['They run.'],
  ]);
  const window = await openWindow(t, ready, { args: ready.args, env: themes.light });
  const { page } = window;
  await page.show('Desk');
  await page.type('textbox', 'Task for the built-in agent', 'Start servers.');
  await page.press(keys.enter);
  await trust(page);
  for (const command of commands) {
    await allowOnce(page, command);
  }
  await page.show('Desk');
  await page.says(/They run\./);
  await page.show('Processes');
  // The newest is the first one.
  await page.one('log', 'What p6 prints');

  // On what the row says, beside it, and on the figures.
  const cell = (id, at) =>
    page.run(
      (name, index) =>
        [...document.querySelectorAll('tbody tr')].find((one) => one.cells[0].textContent === name).cells[index],
      id,
      at,
    );
  for (const [id, at] of [
    ['p4', 1],
    ['p6', 1],
    ['p3', 0],
    ['p5', 2],
    ['p6', 5],
  ]) {
    await window.point(await cell(id, at));
    await page.one('log', `What ${id} prints`);
    const current = () =>
      page.run(() => document.querySelector('[data-process][aria-current]').closest('tr').cells[0].textContent);
    assert.equal(await current(), id);
  }
  assert.deepEqual(await look(window, 'processes-many', 'light'), []);
  const breaks = () =>
    page.run(() =>
      [...document.querySelectorAll('tbody td.right')]
        .filter((one) => getComputedStyle(one).whiteSpace !== 'nowrap')
        .map((one) => one.textContent),
    );
  assert.deepEqual(await breaks(), [], 'figures stay on one line, so that rows keep their height');

  // A window that becomes lower leaves the chosen one in view.
  await window.resize(1280, 800);
  await window.point(await cell('p1', 1));
  await page.one('log', 'What p1 prints');
  const inView = () =>
    page.run(() => {
      const row = document.querySelector('[data-process][aria-current]').closest('tr').getBoundingClientRect();
      const list = document.querySelector('[aria-label="List of processes"]').getBoundingClientRect();
      return row.top >= list.top + 28 && row.bottom <= list.bottom + 1;
    });
  await until(inView, 'the chosen row is in view');
  await window.resize(900, 600);
  await until(inView, 'the chosen row is in view of a lower window');
  await picture(window, 'processes-chosen-900x600');
  assert.deepEqual(await window.stop(), { code: 0, signal: null });
});
