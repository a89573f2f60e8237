// Measures how long the page takes to paint a change of 10,000 lines: from the moment at
// which its card is asked for to the frame in which it stands on the screen, on the page as
// it is built, in Chromium, without a desk. Beside it stands the same for a change of ten
// lines, and for an empty element. Prints one JSON object with medians in milliseconds.
import { openPage, startBrowser } from '../../../frontend/e2e/harness.mjs';
import { serveStage } from '../../../frontend/e2e/stage/built.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const cleanups = [];
const t = { after: (f) => cleanups.unshift(f) };

/** Asks for a card in the page and waits for the frame that shows its change. */
const paint = (page, id) =>
  page.evaluate(
    (id) =>
      new Promise((resolve) => {
        const start = performance.now();
        location.hash = `#/approvals/${id}`;
        const look = () => {
          const shown = document.querySelector(`article [aria-label="Change of ${id}.go"] .dl`);
          if (shown?.getClientRects().length) requestAnimationFrame(() => resolve(performance.now() - start));
          else requestAnimationFrame(look);
        };
        look();
      }),
    id,
  );

const emptyElement = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const start = performance.now();
        const element = document.createElement('div');
        element.textContent = 'x';
        document.body.append(element);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            element.remove();
            resolve(performance.now() - start);
          }),
        );
      }),
  );

const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

async function measure() {
  const address = await serveStage(t);
  const browser = await startBrowser(t);
  const { page } = await openPage(browser, address('painting', '#/approvals/small'), { size: 'wide' });
  await page.locator('article .dl').first().waitFor();
  const [small, large, frames] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    frames.push(await emptyElement(page));
    large.push(await paint(page, 'large'));
    // What is still coloured of it would be measured with the next.
    await page.waitForTimeout(400);
    small.push(await paint(page, 'small'));
    await page.waitForTimeout(200);
  }
  const lines = await page.evaluate(() => document.querySelectorAll('article .dl').length);
  if (lines === 0) throw new Error('no line of a change is on the screen');
  return { rounds, largeMs: median(large), smallMs: median(small), frameMs: median(frames) };
}

try {
  console.log(JSON.stringify(await measure()));
} finally {
  for (const cleanup of cleanups) await cleanup();
}
