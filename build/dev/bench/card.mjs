// Measures how long it takes from an agent's call to its card on the screen: a desk, the
// page in Chromium, and an MCP client that speaks to `countersign mcp` as any other does.
// The limit beside it is the time that the same Chromium takes to draw an empty element.
// Prints one JSON object with medians in milliseconds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { executable, openDesk, scratch, showView, startDesk } from '../../../frontend/e2e/harness.mjs';

const rounds = 20;
const cleanups = [];
const t = { after: (f) => cleanups.unshift(f) };
const now = () => performance.timeOrigin + performance.now();

async function connect({ home, workspace }) {
  const child = spawn(executable, ['mcp', '--home', home, '--workspace', workspace], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    if (!waiting.has(id)) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(JSON.stringify(error)));
    else resolve(result);
  });
  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      send({ id: last, method, params });
    });
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return (number) =>
    request('tools/call', { name: 'write', arguments: { file_path: `bench-${number}.txt`, content: 'one line\n' } });
}

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

const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

async function measure() {
  const workspace = await scratch(t, 'countersign-bench');
  const desk = await startDesk(t, { workspace });
  const { page } = await openDesk(t, desk);
  await showView(page, /^Approvals/);
  const call = await connect(desk);

  // The first call waits behind the question whether the workspace is trusted.
  const first = call(0);
  await page.getByRole('button', { name: /^(Yes|Trust)/ }).click();
  const deny = page.getByRole('group', { name: 'Answer' }).getByRole('button', { name: /^Deny/ }).first();
  await page.locator('[data-guard="open"]').waitFor();
  await deny.click();
  await first;

  const cards = [];
  const frames = [];
  for (let round = 1; round <= rounds; round++) {
    await page.getByRole('article', { name: 'Approval' }).waitFor({ state: 'detached' });
    frames.push(await emptyElement(page));
    const card = await arm(page, 'article[aria-label="Approval"]');
    const start = now();
    const answered = call(round);
    cards.push((await card.evaluate(({ seen }) => seen)) - start);
    await page.locator('[data-guard="open"]').waitFor();
    await deny.click();
    await answered;
  }
  return { rounds, cardMs: median(cards), frameMs: median(frames) };
}

try {
  console.log(JSON.stringify(await measure()));
} finally {
  for (const cleanup of cleanups) await cleanup();
}
