// Measures what 1,000 waiting calls cost the page: the processor time of the main thread in a
// frame while the list is scrolled from end to end, and while new calls come in, on the page as
// it is built, in Chromium, without a desk. Beside it stands the same for a list of twenty that
// is scrolled as far as it goes. Prints one JSON object; times are milliseconds.
import { frames } from '../../../frontend/e2e/frames.mjs';
import { openPage, startBrowser } from '../../../frontend/e2e/harness.mjs';
import { serveStage } from '../../../frontend/e2e/stage/built.mjs';
import { report } from './report.mjs';

/** Scrolls the list down and up again, a good wheel's way in each frame. */
const scroll = (page, times) =>
  page.evaluate(async (times) => {
    const box = document.querySelector('[role=listbox]');
    let step = 120;
    for (let i = 0; i < times; i++) {
      const before = box.scrollTop;
      box.scrollTop += step;
      await new Promise((next) => requestAnimationFrame(next));
      if (box.scrollTop === before) step = -step;
    }
    return box.scrollHeight;
  }, times);

/** Lets a call come in every few frames while the list is scrolled. */
const storm = (page, times) =>
  page.evaluate(async (times) => {
    const { desk } = globalThis;
    const box = document.querySelector('[role=listbox]');
    const { approvals } = desk.world.snapshot;
    for (let i = 0; i < times; i++) {
      box.scrollTop += i % 400 < 200 ? 120 : -120;
      if (i % 10 === 0) {
        const id = `n${i}`;
        approvals.push({ ...approvals[0], id, subject: `src/new_${i}.go` });
        desk.hint('approval.requested', id);
      }
      await new Promise((next) => requestAnimationFrame(next));
    }
  }, times);

async function open(t, browser, address, scene) {
  const { page } = await openPage(browser, address(scene, '#/approvals'), { size: 'wide' });
  await page.locator('article[aria-label="Approval"]').waitFor();
  await page.waitForTimeout(1_000);
  return page;
}

async function measure(t) {
  const address = await serveStage(t);
  const browser = await startBrowser(t);
  const few = await open(t, browser, address, 'full');
  await scroll(few, 100);
  const small = await frames(few, () => scroll(few, 300));
  const page = await open(t, browser, address, 'waiting');
  await page.getByText('950 waiting, 50 left').waitFor();
  // Both ways once, for what is made the first time only.
  const height = await scroll(page, 1_000);
  const large = await frames(page, () => scroll(page, 1_000));
  const coming = await frames(page, () => storm(page, 400));
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  if (height < 20_000) throw new Error(`the list is ${height} px high`);
  return {
    waiting: 1_000, frames: large.frames, ms: large.p95, worstMs: large.worst, fewMs: small.p95,
    comingFrames: coming.frames, comingMs: coming.p95, comingWorstMs: coming.worst, elements,
  };
}

await report(measure);
