// Measures how long the page takes to paint a change of 10,000 lines: from the moment at
// which its card is asked for to the frame in which it stands on the screen, on the page as
// it is built, in Chromium, without a desk. Beside it stands the same for a change of ten
// lines, and for an empty element. Prints one JSON object with medians in milliseconds.
import { openPage, startBrowser } from '../../../frontend/e2e/harness.mjs';
import { serveStage } from '../../../frontend/e2e/stage/built.mjs';
import { median, report } from './report.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);

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

async function measure(t) {
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

await report(measure);
