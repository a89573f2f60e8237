// Programs before a real desk: an agent starts a server that a person reads, writes to and
// stops; and an agent's day of work, from a search to a server that outlives its turn.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import {
  allowOnce,
  axe,
  looks,
  openCard,
  openDesk,
  openPage,
  place,
  showView,
  startBrowser,
  startDesk,
  trust,
  until,
} from './harness.mjs';
import { scripted } from './scripted.mjs';
import { serveStage } from './stage/built.mjs';

const browser = await startBrowser({ after });

/** A desk on a copy of the demo workspace with an agent that keeps to a script, and its page. */
async function openScript(t, title, steps) {
  const desk = await startDesk(t, await scripted(await place(t), title, steps));
  return { desk, ...(await openDesk(t, browser, desk)) };
}

async function giveTask(page, words) {
  await page.keyboard.press('Control+1');
  await page.getByRole('textbox', { name: 'Task for the built-in agent' }).fill(words);
  await page.keyboard.press('Enter');
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const childOf = async (desk) => Number(await readFile(join(desk.workspace, 'child.pid'), 'utf8'));

// spec: KH-53
test('a person reads what an agent started, writes to it and stops it with all of it', async (t) => {
  const { desk, page, errors } = await openScript(t, 'Start the server', [
    ['I start the server.', 'process', { action: 'start', command: 'sh server.sh' }],
    ['It runs, and I am done.'],
  ]);
  await giveTask(page, 'Start the server.');
  await page.getByRole('link', { name: /^Approvals 1 waiting/ }).waitFor();
  await trust(page);
  await allowOnce(page, 'sh server.sh');

  await page.getByRole('contentinfo').getByRole('link', { name: '1 process' }).click();
  const row = page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1);
  await row.getByText('Running', { exact: true }).waitFor();
  assert.match(await row.innerText(), /p1\s+.*sh server\.sh/s);
  const pane = page.getByRole('region', { name: 'Process p1' });
  const log = pane.getByRole('log', { name: 'What p1 prints' });
  await log.getByText('ready', { exact: true }).waitFor();
  assert.equal(await log.locator('.a-ink-green').first().innerText(), 'ready');
  // Two looks make a share of the processor.
  await row.getByText(/^<?\d+ %$/).waitFor();
  await looks(page, 'processes-real');

  await page.keyboard.press('i');
  await page.keyboard.type('<b>hello</b>');
  await page.keyboard.press('Enter');
  await log.getByText('<b>hello</b>', { exact: true }).waitFor();
  await until(
    async () => (await pane.getByRole('textbox', { name: 'Line for p1' }).inputValue()) === '',
    'it was sent',
  );
  await page.keyboard.press('Escape');

  const child = await childOf(desk);
  assert.ok(alive(child));
  await page.keyboard.press('x');
  await page.getByRole('group', { name: 'Stop p1' }).getByRole('button', { name: 'Stop p1' }).click();
  await pane.getByText(/^Stopped/).waitFor();
  await until(() => !alive(child), 'what the server started has ended');
  assert.equal(await pane.getByRole('textbox').count(), 0);
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: /process/ })
    .waitFor({ state: 'detached' });

  await showView(page, /^History/);
  const calls = page.getByRole('region', { name: 'Calls' });
  await calls.getByRole('button', { name: /Process start sh server\.sh/ }).waitFor();
  // What the person did stands there as theirs.
  for (const [name, figure] of [
    [/Process write p1/, /Done[^]*done by you/],
    [/Process stop p1/, /exited[^]*done by you/],
  ]) {
    const done = calls.locator('.res').filter({ has: page.getByRole('button', { name }) });
    await done.waitFor();
    assert.match(await done.innerText(), figure);
  }
  assert.deepEqual(errors, []);
});

// spec: KH-52
test('a second signal takes from what still runs its time to end, and leaves nothing running', async (t) => {
  const command = "trap '' TERM; sleep 300 & echo $! > child.pid; while :; do sleep 0.2; done";
  const { desk, page } = await openScript(t, 'Start what does not end', [
    ['I start it.', 'process', { action: 'start', command }],
    ['It runs.'],
  ]);
  await giveTask(page, 'Start it.');
  await page.getByRole('link', { name: /^Approvals 1 waiting/ }).waitFor();
  await trust(page);
  await allowOnce(page, 'child.pid');
  await page.getByRole('contentinfo').getByRole('link', { name: '1 process' }).waitFor();
  await until(async () => (await childOf(desk).catch(() => 0)) > 0, 'it has a child');
  const child = await childOf(desk);
  const ended = desk.stop();
  await until(() => desk.output().includes('Stopping 1 background process'), 'the end was said');
  await desk.stop();
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.equal(alive(child), false);
});

// spec: KH-48
test('an agent searches, reads, edits, tests, serves and is stopped, and all of it is in the history', async (t) => {
  const { desk, page, errors } = await openScript(t, 'Round the cart total once', [
    ['I look where prices are rounded.', 'grep', { pattern: 'Math\\.round' }],
    ['I read it.', 'read', { file_path: 'src/cart.ts' }],
    [
      'I take the rounding of each line out.',
      'edit',
      {
        file_path: 'src/cart.ts',
        // Told without its indentation, so that it is not found as it is.
        old_string: 'const gross = Math.round(line.price * (1 + taxRate));\nsum += gross * line.pieces;',
        new_string: 'sum += line.price * line.pieces;',
      },
    ],
    ['I run the tests.', 'bash', { command: 'sh test.sh' }],
    ['They fail. I start the server to look.', 'process', { action: 'start', command: 'sh server.sh' }],
    ['I read its log.', 'process', { action: 'read', id: 'p1', offset: 1 }],
    ['I wait for somebody.', 'bash', { command: 'echo waiting; sleep 300' }],
    ['Nobody came.'],
  ]);
  const timeline = page.getByRole('log', { name: 'Timeline' });
  const line = (words) => timeline.getByRole('button', { name: words });
  await giveTask(page, 'Round the cart total once.');
  await page.getByRole('link', { name: /^Approvals 1 waiting/ }).waitFor();
  await trust(page);

  const edit = await openCard(page, 'cart.ts');
  await edit.getByText('const gross = Math.round(line.price * (1 + taxRate));').first().waitFor();
  await edit.getByRole('button', { name: /^Allow once/ }).click();
  await until(
    async () => !(await readFile(join(desk.workspace, 'src', 'cart.ts'), 'utf8')).includes('gross'),
    'the file is changed',
  );
  assert.match(
    await readFile(join(desk.workspace, 'src', 'cart.ts'), 'utf8'),
    /^ {4}sum \+= line\.price \* line\.pieces;$/m,
  );
  for (const command of ['sh test.sh', 'sh server.sh', 'echo waiting; sleep 300']) await allowOnce(page, command);

  await showView(page, /^Desk/);
  const running = line(/^Run echo waiting; sleep 300/);
  await running.waitFor();
  await timeline.getByText('waiting', { exact: true }).waitFor();
  await running.click();
  await page.getByRole('region', { name: 'What it printed' }).getByText('waiting', { exact: true }).waitFor();
  await looks(page, 'journey-running');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await timeline.getByText('Cancelled').waitFor();
  const child = await childOf(desk);
  assert.ok(alive(child), 'the server outlives the turn');
  await page.getByRole('contentinfo').getByRole('link', { name: '1 process' }).waitFor();

  // The whole is in the history, each with what came of it.
  await showView(page, /^History/);
  const calls = page.getByRole('region', { name: 'Calls' });
  const told = [
    [/Search Math\\\.round/, /1 in 1 file/],
    [/Read src\/cart\.ts/, /24 lines/],
    [/Edit src\/cart\.ts/, /\+1 −2/],
    [/Run sh test\.sh/, /exit 1/],
    [/Process start sh server\.sh/, /p1 running/],
    [/Process read p1/, /1 line/],
    [/Run echo waiting; sleep 300/, /stopped|cancelled/i],
  ];
  for (const [name, figure] of told) {
    const row = calls.locator('.res').filter({ has: page.getByRole('button', { name }) });
    await row.waitFor();
    assert.match(await row.innerText(), figure);
  }
  const failed = calls.locator('.res').filter({ has: page.getByRole('button', { name: /Run sh test\.sh/ }) });
  assert.match(await failed.innerText(), /Failed/);
  await failed.getByRole('button').click();
  const story = page.getByRole('region', { name: 'Opened call' });
  await story.getByText('Exit code 1', { exact: true }).waitFor();
  const terminal = story.getByRole('region', { name: 'What it printed' });
  assert.deepEqual(
    (await terminal.innerText()).split('\n').map((one) => one.trimEnd()),
    [' FAIL  cart.test: expected 1216, got 1215', '100 %'],
  );
  await looks(page, 'journey-history');
  await story.getByRole('button', { name: 'What the model read' }).click();
  await story.getByText('[exit code 1', { exact: false }).waitFor();

  await desk.stop();
  await until(() => !alive(child), 'the server ends with the desk');
  assert.deepEqual(
    errors.filter((one) => !/WebSocket|ERR_CONNECTION/.test(one)),
    [],
  );
});

test('hundreds of processes, commands without end and absurd output are drawn in part, and reached by keys', async (t) => {
  const at = await serveStage(t);
  const { page, errors, close } = await openPage(browser, at('long', '#/processes'));
  t.after(close);
  const table = page.getByRole('table', { name: 'Processes' });
  const log = page.getByRole('log', { name: 'What p1 prints' });
  // Of progress the last state, and of a line without end what fits.
  await log.getByText('30 %', { exact: true }).waitFor();
  assert.equal(await table.getByRole('row').count(), 402);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  assert.ok(nodes < 16_000, `${nodes} elements`);
  await log.getByText('and 5,040 more characters here').waitFor();
  assert.equal(await log.getByText('U+0000').count(), 40);
  assert.deepEqual(await axe(page), []);
  await log.focus();
  await page.keyboard.press('Home');
  await log.getByText('What was printed before this is in the full output.').waitFor();
  await page.getByRole('button', { name: /^To the end/ }).waitFor();
  await page.keyboard.press('End');
  await log.getByText('30 %', { exact: true }).waitFor();

  for (let i = 0; i < 40; i++) await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Process p41' }).waitFor();
  const row = table.getByRole('row').filter({ has: page.getByRole('button', { name: /^Process p41 / }) });
  const [of, view] = [
    await row.boundingBox(),
    await page.getByRole('region', { name: 'List of processes' }).boundingBox(),
  ];
  assert.ok(of.y >= view.y && of.y + of.height <= view.y + view.height + 1, 'the chosen row is in view');
  assert.deepEqual(errors, []);
});
