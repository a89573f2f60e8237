// The window on a copy of the demo workspace, with the scripted agent ready.
import { demo } from '../harness.mjs';
import { keys } from './driver.mjs';
import { openWindow, place } from './harness.mjs';

/** Opens it. `at` is a place to use, `args` and `env` are as for any window. */
export async function openDemo(t, { at, args = [], env = {} } = {}) {
  const ready = await demo(at ?? (await place(t)));
  return openWindow(t, ready, { args: [...ready.args, ...args], env });
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
