// The worker that colours code runs in the window, too, under the window's own rules.
import { test } from 'node:test';

import { until } from '../harness.mjs';
import { giveTask, openDemo, trust } from './demo.mjs';

test('a change is shown in colours, which a worker found', async (t) => {
  const { page } = await openDemo(t);
  await giveTask(page);
  await trust(page);
  await page.one('region', /^Change of .*cart\.ts/, await page.one('article', 'Approval'));
  const coloured = () =>
    page.run(() => document.querySelectorAll('.diff code .k, .diff code .f, .diff code .s').length);
  await until(async () => (await coloured()) > 0, 'code has colours');
});
