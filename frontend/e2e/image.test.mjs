// A tool of a set answers with images: an agent gets their bytes, a person sees them in the timeline, in
// full and in the history, also after the desk was started anew, and nobody else can read them.
import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { chart, putCharts } from './charts.mjs';
import { connect } from './client.mjs';
import {
  executable,
  looks,
  openDesk,
  place,
  showView,
  startBrowser,
  startDesk,
  timeline,
  trust,
  until,
} from './harness.mjs';

const browser = await startBrowser({ after });

const images = (page) => page.getByRole('region', { name: 'Images' });

/** Waits until an image was decoded, and gives how many pixels wide it is. */
async function decoded(image) {
  await until(() => image.evaluate((one) => one.complete && one.naturalWidth > 0), 'an image to be decoded');
  return image.evaluate((one) => one.naturalWidth);
}

test('images of a tool reach the agent, the timeline and the history', async (t) => {
  const at = await place(t);
  await putCharts(at);
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);
  const call = client.call('acme_charts', {});
  await trust(page);
  const result = await call;
  assert.equal(result.isError ?? false, false, JSON.stringify(result).slice(0, 400));
  const [text, ...blocks] = result.content;
  assert.match(text.text, /^Two charts\.\n\[image image\/png: media:\/\/sha256-[0-9a-f]{64}\]\n\[image/);
  assert.deepEqual(
    blocks.map((one) => [one.type, one.mimeType, Buffer.from(one.data, 'base64').equals(chart)]),
    [
      ['image', 'image/png', true],
      ['image', 'image/png', false],
    ],
  );

  // Each lies in the home once, for nobody else to read.
  const kept = await readdir(join(at.home, 'media'));
  assert.equal(kept.length, 2);
  for (const name of kept) assert.equal((await stat(join(at.home, 'media', name))).mode & 0o777, 0o600);

  await showView(page, /^Desk/);
  await timeline(page).getByText('2 images').waitFor();
  await timeline(page)
    .getByRole('button', { name: /acme_charts/ })
    .click();
  const drawn = images(page).getByRole('img');
  assert.equal(await decoded(drawn.nth(0)), 320);
  assert.equal(await decoded(drawn.nth(1)), 20_000);
  await looks(page, 'image-result');

  // A key opens it in full, others go on and close it.
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog');
  assert.equal(await decoded(dialog.getByRole('img')), 320);
  await page.keyboard.press('n');
  assert.equal(await decoded(dialog.getByRole('img')), 20_000);
  await looks(page, 'image-full');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);

  // A client that takes no images hears why the call failed.
  const plain = await connect(t, desk, { command: [executable, 'mcp', '--text-only'], name: 'plain' });
  const refused = await plain.call('acme_charts', {});
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /^This model cannot accept tool images\./);

  // Whoever was not let in gets no image.
  const source = await drawn.nth(0).getAttribute('src');
  assert.match(source, /^\/media\/sha256-[0-9a-f]{64}$/);
  const { origin } = new URL(page.url());
  assert.equal((await fetch(origin + source)).status, 403);

  // They outlive the desk. What is damaged in the store meanwhile is not shown, and says so.
  await desk.stop();
  await writeFile(join(at.home, source), Buffer.alloc(chart.length, 7));
  const again = await openDesk(t, browser, await startDesk(t, at));
  await showView(again.page, /^History/);
  await again.page.getByText('2 images').waitFor();
  // The newest comes first, and it failed.
  await again.page
    .getByRole('button', { name: /acme_charts/ })
    .last()
    .click();
  const left = images(again.page);
  await left.getByText('cannot be shown: it is not in the store any more').waitFor();
  assert.equal(await decoded(left.getByRole('img')), 20_000);
  await looks(again.page, 'image-history');
});
