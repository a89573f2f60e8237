// Measures the output viewer on what real calls printed: how long an output of a gigabyte takes to
// open beside one of a few bytes, and what scrolling a million lines costs the main thread beside a
// page that only moves an empty element. Prints one JSON object, times in milliseconds.
import { connect } from '../../../frontend/e2e/client.mjs';
import { frames } from '../../../frontend/e2e/frames.mjs';
import { holdToAllow, openDesk, place, showView, startBrowser, startDesk, trust } from '../../../frontend/e2e/harness.mjs';
import { median, report } from './report.mjs';

const rounds = 7;
const million = String.raw`seq 1000000 | sed 's/.*/\x1b[32mline &\x1b[0m of a million that some test printed while it ran/'`;
const commands = [
  'echo a-few-bytes',
  `: a-million; ${million}`,
  ": a-gigabyte; yes 'one of the lines of an output that is one gigabyte long, all alike' | head -c 1073741824",
];

/** Opens the call whose command has these words, and returns how long its output took to show a line. */
async function open(page, words) {
  const session = page.getByRole('region', { name: 'Session', exact: true });
  await session.getByText(words).first().click();
  await page.getByRole('button', { name: /^Open the full output/ }).waitFor();
  return page.evaluate(async () => {
    const button = [...document.querySelectorAll('button')].find((one) => one.textContent.includes('Open the full output'));
    const start = performance.now();
    button.click();
    while (!document.querySelector('[data-line="1"] code')?.textContent)
      await new Promise((next) => requestAnimationFrame(next));
    await new Promise((next) => requestAnimationFrame(next));
    return performance.now() - start;
  });
}

async function shut(page) {
  const pane = page.getByRole('region', { name: 'Output', exact: true });
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
}

/** Moves an empty element for a while: what any movement costs. */
const rest = (page) =>
  frames(page, () =>
    page.evaluate(async () => {
      const element = document.body.appendChild(document.createElement('div'));
      for (let i = 0; i < 300; i++) {
        element.style.transform = `translateY(${i}px)`;
        await new Promise((next) => requestAnimationFrame(next));
      }
      element.remove();
    }),
  );

/** Turns the wheel in every frame, slowly and fast, there and back. */
const scroll = (page) =>
  frames(page, () =>
    page.evaluate(async () => {
      const place = document.querySelector('#output-lines');
      const turn = (deltaY) => place.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }));
      for (const deltaY of [60, 120, 240, 400, -120]) {
        for (let i = 0; i < 120; i++) {
          turn(deltaY);
          await new Promise((next) => requestAnimationFrame(next));
        }
      }
    }),
  );

async function measure(t) {
  const desk = await startDesk(t, await place(t));
  const { page } = await openDesk(t, await startBrowser(t), desk);
  const client = await connect(t, desk);
  let first = true;
  for (const command of commands) {
    const call = client.call('bash', { command, timeout_ms: 300_000 });
    if (first) await trust(page);
    first = false;
    await holdToAllow(page, command.slice(0, 12));
    await call;
  }
  await showView(page, /^Desk/);
  const few = [];
  const large = [];
  for (let round = 0; round < rounds; round++) {
    few.push(await open(page, 'a-few-bytes'));
    await shut(page);
    large.push(await open(page, 'a-gigabyte'));
    await shut(page);
  }
  await open(page, 'a-million');
  await page.getByText('1,000,000 lines').waitFor();
  const idle = await rest(page);
  const scrolled = await scroll(page);
  return { rounds, few: median(few), large: median(large), frames: scrolled.frames, p95: scrolled.p95, rest: idle.p95, worst: scrolled.worst };
}

await report(measure);
