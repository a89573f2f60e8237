// The page before a real desk: every view in both themes, and a card that is
// answered by the keyboard alone until the file has changed.
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import {
  axe,
  demo,
  inEach,
  looks,
  openDesk,
  place,
  screenshot,
  showView,
  sizes,
  startBrowser,
  startDesk,
  themes,
  until,
} from './harness.mjs';

const browser = await startBrowser({ after });

const views = ['Desk', 'Approvals', 'Tools', 'Processes', 'History', 'Connect', 'Settings'];

/** A desk on a copy of the demo workspace, with the scripted agent ready. */
const startDemo = async (t) => startDesk(t, await demo(await place(t)));

/** Looks at every view: a picture, and no fault that axe finds. */
async function lookAround(page, name, theme, size) {
  for (const view of views) {
    await showView(page, new RegExp(`^${view}`));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await screenshot(page, `${name}-${view.toLowerCase()}`, theme, size);
    assert.deepEqual(await axe(page), [], `${view}, ${theme}, ${size}`);
  }
}

/** Gives the built-in agent its task, without the pointer. */
async function giveTask(page) {
  await page.keyboard.press('Control+1');
  await tabTo(page, page.getByRole('textbox', { name: 'Task for the built-in agent' }));
  await page.keyboard.type('Round the cart total once.');
  await page.keyboard.press('Enter');
}

/** Goes to a control as somebody does who has no pointer: by Tab, until it has the keys. */
async function tabTo(page, control) {
  await control.waitFor();
  for (let steps = 0; steps < 60; steps++) {
    if (await control.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('Tab does not come to it');
}

/** Counts what a pointer does on the page from now on, and the clicks that no key made. */
const watchPointer = (page) =>
  page.evaluate(() => {
    globalThis.pointed = 0;
    for (const kind of ['pointerdown', 'pointermove', 'wheel', 'touchstart', 'click'])
      addEventListener(kind, (event) => (globalThis.pointed += kind !== 'click' || event.detail > 0), true);
  });

test('every view of a fresh desk is without fault in both themes', async (t) => {
  const desk = await startDemo(t);
  const opened = await openDesk(t, browser, desk);
  await inEach(opened.page, (theme, size) => lookAround(opened.page, 'fresh', theme, size));
  await opened.page.getByRole('button', { name: /^Preset/ }).click();
  await opened.page.getByRole('menuitemradio', { name: /^Edit/ }).waitFor();
  await screenshot(opened.page, 'preset-menu', 'dark', 'small');
  assert.deepEqual(await axe(opened.page), [], 'preset menu');
  await opened.page.keyboard.press('ArrowDown');
  await opened.page.keyboard.press('Enter');
  await opened.page.getByRole('button', { name: 'Preset Edit' }).waitFor();

  // One press of the lock changes nothing, on or off: the menu does, by the keyboard alone.
  for (const [now, key, then] of [
    [/^Lock/, 'ArrowDown', /^Read-only/],
    [/^Read-only/, 'ArrowUp', /^Lock/],
  ]) {
    const lock = opened.page.getByRole('button', { name: now });
    await lock.focus();
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('menu', { name: 'Read-only lock' }).waitFor();
    assert.ok(await lock.isVisible(), 'the press changed nothing');
    await screenshot(opened.page, 'lock-menu', 'dark', 'small');
    assert.deepEqual(await axe(opened.page), [], 'lock menu');
    await opened.page.keyboard.press(key);
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('button', { name: then }).waitFor();
  }
  assert.deepEqual(opened.errors, []);
});

test('a card is answered by the keyboard and the file changes', async (t) => {
  const desk = await startDemo(t);
  const { page, errors } = await openDesk(t, browser, desk);
  await watchPointer(page);
  const file = join(desk.workspace, 'src', 'cart.ts');
  const before = await readFile(file, 'utf8');
  await giveTask(page);

  await page.keyboard.press('Control+2');
  const trust = page.getByRole('article', { name: 'Trust question' });
  await trust.waitFor();
  await trust.locator('[data-guard="open"]').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  assert.ok(await trust.isVisible(), 'no single key answers the trust question');
  await screenshot(page, 'demo-trust', 'light', 'wide');
  assert.deepEqual(await axe(page), []);
  // What was pressed above began the quiet period anew.
  await trust.locator('[data-guard="open"]').waitFor();
  await tabTo(page, trust.getByRole('button', { name: 'Yes, trust it' }));
  await page.keyboard.press('Enter');

  const card = page.getByRole('article', { name: 'Approval' });
  await card.getByRole('region', { name: /Change of .*cart\.ts/ }).waitFor();
  assert.equal(await readFile(file, 'utf8'), before, 'nothing is written before the answer');
  assert.equal(
    await card.getByRole('button', { name: /Allow once/ }).evaluate((one) => one === document.activeElement),
    false,
  );
  await looks(page, 'demo-card', async () => {
    for (const name of [/^Deny/, /Allow once/]) {
      assert.ok(await card.getByRole('button', { name }).first().isVisible(), `${name} is in view`);
    }
  });
  await page.locator('[data-guard="open"]').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('status').filter({ hasText: 'Write src/cart.ts: allowed once.' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-label="Approval"] [aria-label*="cart.ts"]'));
  await until(async () => (await readFile(file, 'utf8')) !== before, 'the file is written after the answer');
  assert.equal(await page.evaluate(() => globalThis.pointed), 0, 'no pointer was used');

  await lookAround(page, 'demo', 'light', 'wide');
  await showView(page, /^Desk/);
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Opened call' }).waitFor();
  assert.deepEqual(await axe(page), [], 'opened call');
  assert.deepEqual(errors, []);
});

test('a card that waits is named on the desk, and says when it is out of date', async (t) => {
  const desk = await startDemo(t);
  const { page, errors } = await openDesk(t, browser, desk);
  const file = join(desk.workspace, 'src', 'cart.ts');
  await giveTask(page);
  await page.keyboard.press('Control+2');
  const trust = page.getByRole('article', { name: 'Trust question' });
  await trust.locator('[data-guard="open"]').waitFor();
  await trust.getByRole('button', { name: 'Yes, trust it' }).click();
  const card = page.getByRole('article', { name: 'Approval' });
  await card.getByRole('region', { name: /Change of .*cart\.ts/ }).waitFor();

  await page.keyboard.press('Control+1');
  const line = page.getByRole('button', { name: 'Write src/cart.ts' }).last();
  await line.waitFor();
  await screenshot(page, 'demo-waiting', 'light', 'wide');
  await page.getByRole('link', { name: 'Answer' }).click();
  await card.getByRole('region', { name: /Change of .*cart\.ts/ }).waitFor();
  await appendFile(file, '// changed meanwhile\n');
  await card.getByText('The file changed since this card was made.', { exact: false }).waitFor();
  await looks(page, 'demo-drift');
  assert.deepEqual(errors, []);
});

test('a desk that goes away is told plainly, and nothing can be answered', async (t) => {
  const desk = await startDemo(t);
  const { page } = await openDesk(t, browser, desk);
  await giveTask(page);
  await page.keyboard.press('Control+2');
  await page.getByRole('article').getByRole('group', { name: 'Answer' }).waitFor();
  await desk.stop();
  await page.getByRole('alert').getByText('The desk is not running.').waitFor();
  await page.getByText('No answer can be given until the desk is back.').waitFor();
  for (const button of await page.getByRole('group', { name: 'Answer' }).getByRole('button').all()) {
    assert.ok(await button.isDisabled());
  }
  await screenshot(page, 'demo-away', 'light', 'wide');
  assert.deepEqual(await axe(page), []);
});

test('a page without the one-time address is turned away and learns nothing', async (t) => {
  const desk = await startDemo(t);
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const { origin } = new URL(desk.url);
  const answer = await page.goto(origin);
  assert.equal(answer.status(), 403);
  assert.equal(await page.getByRole('navigation', { name: 'Views' }).count(), 0);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizes.wide);
    await screenshot(page, 'turned-away', theme, 'wide');
    assert.equal(
      await page.getByRole('heading').evaluate((one) => getComputedStyle(one).fontSize),
      '18px',
      'it is styled',
    );
    assert.deepEqual(await axe(page), [], `turned away, ${theme}`);
  }
  const socket = await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const one = new WebSocket(address);
        one.onopen = () => resolve('open');
        one.onerror = () => resolve('refused');
      }),
    `${origin.replace('http', 'ws')}/ws`,
  );
  assert.equal(socket, 'refused');
});
