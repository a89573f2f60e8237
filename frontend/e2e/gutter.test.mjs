// Numbers of lines have the room that their digits take, in outputs and in changes; and nothing
// of the view that an output covers is painted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { openPage, looks, startBrowser } from './harness.mjs';
import { serveStage } from './stage/built.mjs';

const browser = await startBrowser({ after });

/** Whether the text of each element begins so many pixels behind the element's left edge. */
async function roomy(elements, pixels) {
  const rooms = await elements.evaluateAll((all) =>
    all
      .filter((one) => one.textContent)
      .map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect().left - one.getBoundingClientRect().left;
      }),
  );
  assert.ok(rooms.length > 3, 'there are numbers');
  for (const room of rooms) assert.ok(room >= pixels, `${room} px before a number`);
}

test('the number of the millionth line stands clear of the bar before it, and the view beneath is hidden', async (t) => {
  const at = await serveStage(t);
  const { page, close } = await openPage(browser, at('outputs'));
  t.after(close);
  await page.getByText('make million').first().click();
  const open = page.getByRole('button', { name: /^Open the full output/ });
  await open.click();
  const output = page.getByRole('region', { name: 'Lines of the output' });
  await output.getByText('line 1 of a million').waitFor();
  await page.keyboard.press('End');
  await output.getByText('line 1000000 of a million').waitFor();
  assert.equal(
    await page.locator('.under').evaluate((one) => one.checkVisibility({ visibilityProperty: true })),
    false,
  );
  await looks(page, 'output-million', () => roomy(output.locator('.ol > span'), 6));
  await page.keyboard.press('Escape');
  await output.waitFor({ state: 'detached' });
  assert.ok(await open.isVisible());
});

test('numbers of six digits have room in both layouts of a change', async (t) => {
  const at = await serveStage(t);
  const { page, close } = await openPage(browser, at('far', '#/approvals'));
  t.after(close);
  for (const key of ['', 'v']) {
    if (key) await page.keyboard.press(key);
    await page
      .locator(key ? '.dp' : '.dl')
      .first()
      .waitFor();
    await looks(page, `diff-far${key}`, () => roomy(page.locator('.dl > span:not(.vh)'), 4));
  }
});
