// Images that a tool answered with in the window, whose page has them from the program itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { putCharts } from '../charts.mjs';
import { executable as commandLine, until } from '../harness.mjs';
import { start } from '../program.mjs';
import { axeIn, inEachSize, openWindow, picture, place } from './harness.mjs';
import { axeFaults, layoutFaults } from './look.mjs';

test('images of a call of yesterday are drawn in the window, in their box and in full', async (t) => {
  const at = await place(t);
  await putCharts(at);
  const call = ['call', 'acme_charts', '--trust-workspace', '--home', at.home, '--workspace', at.workspace];
  const { ended } = start(commandLine, call, { cwd: at.workspace, stdio: 'ignore' });
  assert.equal((await ended).code, 0);

  const window = await openWindow(t, at);
  const { page } = window;
  await page.show('History');
  await page.click('button', /acme_charts/);
  const widths = (root) =>
    page.run((css) => [...document.querySelectorAll(`${css} img`)].map((one) => one.naturalWidth), root);
  await until(async () => String(await widths('[aria-label="Images"]')) === '320,20000', 'both images are drawn');
  const faults = [];
  const look = (name) =>
    inEachSize(window, 'light', async (size) => {
      await picture(window, `${name}-light-${size}`);
      const found = await layoutFaults(page);
      if (axeIn('light', size)) found.push(...(await axeFaults(page)));
      faults.push(...found.map((fault) => `${name}, ${size}: ${fault}`));
    });
  await look('image');
  await page.press('i');
  await until(async () => String(await widths('dialog')) === '320', 'the image is open in full');
  await look('image-full');
  assert.deepEqual(faults, []);
});
