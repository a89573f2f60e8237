// What is around the views, with the keys of the screen in the window's own engine.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { viewAt } from '../harness.mjs';
import { giveTask, openDemo, trust } from './demo.mjs';
import { axeFaults, layoutFaults } from './look.mjs';

const letters = (text) => [...text].map((letter) => (letter === ' ' ? 'space' : letter));

test('keys reach what they are meant for, and no card behind it', async (t) => {
  const window = await openDemo(t);
  const { page } = window;
  await giveTask(page);
  await trust(page);
  const card = await page.one('article', 'Approval');
  await page.one('region', /^Change of .*cart\.ts/, card);
  await page.matches('[data-guard="open"]');
  const file = join(window.workspace, 'src', 'cart.ts');
  const before = await readFile(file, 'utf8');
  const waits = async () => {
    assert.equal(await readFile(file, 'utf8'), before);
    assert.equal((await page.all('button', /^Allow once/)).length, 1, 'the call still waits');
  };
  const had = await page.run(() => document.activeElement.getAttribute('aria-label'));

  await t.test('the commands take every key', async () => {
    await window.keys('ctrl+k');
    await page.one('combobox', 'Command, tool or session');
    await window.keys('a', 'x', 'ctrl+Return', 'bracketright');
    await page.says(/Nothing is called that\./);
    await waits();
    await window.keys('BackSpace', 'BackSpace', 'BackSpace');
    await page.one('option', /Go to Desk/);
    assert.deepEqual(await axeFaults(page), []);
    await window.keys(...letters('go to'));
    await page.none('option', /^Theme/);
    assert.deepEqual(await layoutFaults(page), []);
    await window.keys('End', 'Home', 'Page_Down', 'Up', 'Escape');
    await page.none('combobox', 'Command, tool or session');
    assert.equal(await page.run(() => document.activeElement.getAttribute('aria-label')), had);
    await waits();
  });

  await t.test('a click beside the commands closes them and presses nothing', async () => {
    await window.keys('ctrl+k');
    await page.one('combobox', 'Command, tool or session');
    await window.point(await page.one('button', /^Allow once/, card));
    await page.none('combobox', 'Command, tool or session');
    await waits();
  });

  await t.test('the keyboard map opens with its key and closes with Escape', async () => {
    await window.keys('question');
    await page.one('heading', 'The open card');
    assert.deepEqual(await axeFaults(page), []);
    await window.keys('a', 'x', 'Escape');
    await page.none('heading', 'The open card');
    await waits();
  });

  await t.test('a change that loosens takes a choice, Enter and a click', async () => {
    const preset = (name) => page.one('button', new RegExp(`^Preset ${name}`));
    await window.keys('ctrl+k', ...letters('preset full'), 'Return');
    await page.one('option', /Default/);
    await window.keys('Return');
    await page.none('combobox');
    await preset('Default');
    await window.keys('ctrl+k', ...letters('preset edit'), 'Return');
    await page.one('option', /Default/);
    await window.keys('Down', 'Return');
    // A call waits, so it is saved by a click of its own, once past calls were looked at.
    await page.matches('[aria-label="What the change would do"] .primary:enabled');
    await page.click('button', 'Save');
    await preset('Edit');
    await window.keys('ctrl+k', ...letters('preset default'), 'Return');
    await preset('Default');
  });

  await t.test('views are switched by their keys, in a field too', async () => {
    await window.keys('ctrl+1');
    await page.matches(viewAt('#/desk'));
    await page.click('textbox', /Task|follow-up/);
    await window.keys('a', 'x', 'ctrl+3');
    await page.matches(viewAt('#/tools'));
    await window.keys('j', 'j');
    await page.one('complementary', /^Tool /);
    await window.keys('Escape');
    await page.none('complementary', /^Tool /);
  });
});
