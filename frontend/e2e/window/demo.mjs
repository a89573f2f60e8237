// The window on a copy of the demo workspace, with the scripted agent ready.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { repository } from '../harness.mjs';
import { openWindow, place } from './harness.mjs';
import { keys } from './driver.mjs';

const samples = join(repository, 'build', 'samples');

/** Opens it. `at` is a place to use, `args` and `env` are as for any window. */
export async function openDemo(t, { at, args = [], env = {} } = {}) {
  at ??= await place(t);
  await mkdir(at.home, { mode: 0o700 });
  await cp(join(samples, 'demo'), at.workspace, { recursive: true });
  await cp(join(samples, 'demo.config.json'), join(at.home, 'config.json'));
  const model = `scripted:${join(samples, 'demo.task.json')}`;
  return openWindow(t, at, { args: ['--model', model, ...args], env });
}

/** Gives the built-in agent its task. */
export async function giveTask(page) {
  await page.show('Desk');
  await page.type('textbox', 'Task for the built-in agent', 'Round the cart total once.');
  await page.press(keys.enter);
}

/** Answers the question that comes before the first call that changes something. */
export async function trust(page) {
  const question = await page.card('Trust this folder?', 'Trust question');
  await page.click('button', 'Yes, trust it', question);
}
