// Measures how long it takes from an agent's call to its card on the screen: a desk, the
// page in Chromium, and an MCP client that speaks to `countersign mcp` as any other does.
// The limit beside it is the time that the same Chromium takes to draw an empty element.
// Prints one JSON object: medians in milliseconds, and what 95 of 100 rounds stay within.
import { connect } from '../../../frontend/e2e/client.mjs';
import { openDesk, place, showView, startBrowser, startDesk } from '../../../frontend/e2e/harness.mjs';
import { median, quantile, report } from './report.mjs';

const rounds = 40;
const now = () => performance.timeOrigin + performance.now();

// The moment of the frame in which the element can be seen. The page starts to look
// before the call is made, so that nothing waits on the driver.
const arm = (page, selector) =>
  page.evaluateHandle(
    (selector) => ({
      seen: new Promise((resolve) => {
        const look = () => {
          const element = document.querySelector(selector);
          if (element?.getClientRects().length) requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
          else requestAnimationFrame(look);
        };
        look();
      }),
    }),
    selector,
  );

async function emptyElement(page) {
  const start = now();
  const seen = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const element = document.createElement('div');
        element.textContent = 'x';
        document.body.append(element);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            element.remove();
            resolve(performance.timeOrigin + performance.now());
          }),
        );
      }),
  );
  return seen - start;
}

async function measure(t) {
  const desk = await startDesk(t, await place(t));
  const { page } = await openDesk(t, await startBrowser(t), desk);
  await showView(page, /^Approvals/);
  const client = await connect(t, desk);
  const call = (number) => client.call('write', { file_path: `bench-${number}.txt`, content: 'one line\n' });
  const answer = async (kind, button) => {
    const question = page.getByRole('article', { name: kind });
    await question.locator('[data-guard="open"]').waitFor();
    await question.getByRole('button', { name: button }).click();
    await question.waitFor({ state: 'detached' });
  };

  // The first call waits behind the question whether the workspace is trusted.
  const first = call(0);
  await answer('Trust question', 'Yes, trust it');
  await answer('Approval', /^Deny X/);
  await first;

  const cards = [];
  const frames = [];
  for (let round = 1; round <= rounds; round++) {
    frames.push(await emptyElement(page));
    const card = await arm(page, 'article[aria-label="Approval"]');
    const start = now();
    const answered = call(round);
    cards.push((await card.evaluate(({ seen }) => seen)) - start);
    await answer('Approval', /^Deny X/);
    await answered;
  }
  return { rounds, cardMs: median(cards), lateMs: quantile(cards, 0.95), frameMs: median(frames) };
}

await report(measure);
