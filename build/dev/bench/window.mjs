// Measures the built window on a screen of its own: from its start to its first paint, a
// call from the page, the memory with a long session open, and the work of the page while
// thousands of events come in. Beside each stands the least that the same machine takes:
// a GTK window with a web view and one word in it, a call that does nothing, a page at
// rest. The work is measured twice: as the time that the main thread was not free, which
// others of the machine take from it too, and as the processor time that it used. Prints
// one JSON object.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { connect } from '../../../frontend/e2e/client.mjs';
import { repository, until } from '../../../frontend/e2e/harness.mjs';
import { address, attach, driven, group, launch, place, run, variables } from '../../../frontend/e2e/window/harness.mjs';
import { median, quantile, report } from './report.mjs';

const starts = 5;
const sets = 2_000;
const lines = 1_000;
const events = 10_000;
const calls = { batches: 50, each: 20 };
// What a call of a tool tells: proposed, authorized, started, completed.
const eventsOfCall = 4;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Compiles the window that does nothing. */
function emptyWindow() {
  const out = join(repository, 'build', 'bin', 'bench-empty');
  const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'webkit2gtk-4.1'], { encoding: 'utf8' }).trim();
  execFileSync('gcc', ['-O2', '-o', out, join(repository, 'build', 'dev', 'bench', 'empty', 'empty.c'), ...flags.split(/\s+/)]);
  return out;
}

/** Starts a window and leaves it alone until it has long been painted, then looks. */
async function opened(t, start) {
  const target = await address();
  const before = Date.now();
  const program = start(driven(target));
  await pause(3_000);
  const { page } = await attach(t, program, target);
  const painted = await page.run(
    () => performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime,
  );
  return { program, page, paintMs: painted - before };
}

/** The memory of a program and all it started, shared pages in proportion, in MB. */
async function memory(program) {
  let kilobytes = 0;
  for (const one of await group(program.pid)) {
    const text = await readFile(`/proc/${one.split(' ')[0]}/smaps_rollup`, 'utf8');
    kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)[1]);
  }
  return kilobytes / 1024;
}

/** Puts tool sets into a home, each of one tool. */
async function putSets(home) {
  for (let n = 0; n < sets; n++) {
    const set = join(home, 'tools', `say${n}`);
    await mkdir(set, { recursive: true, mode: 0o700 });
    await writeFile(join(set, 'say'), '#!/bin/sh\ncat\n', { mode: 0o700 });
    const manifest = { runner: 'exec', description: 'Says it again.', schema: { type: 'object' }, command: ['./say'] };
    await writeFile(join(set, 'tools.json'), JSON.stringify(manifest));
  }
}

async function end(program) {
  process.kill(program.pid, 'SIGTERM');
  await program.end();
}

/** Milliseconds of a call from the page, the median of batches: the page's clock counts whole ones. */
function call(page, f) {
  return page.run(
    `async () => {
      const bound = window.go.main.Window;
      const batches = [];
      for (let batch = 0; batch < ${calls.batches}; batch++) {
        const start = performance.now();
        for (let n = 0; n < ${calls.each}; n++) await (${f})(bound);
        batches.push((performance.now() - start) / ${calls.each});
      }
      return batches.sort((a, b) => a - b)[${calls.batches / 2}];
    }`,
  );
}

/**
 * Watches the frames of the page. A message that the page sends itself over and over runs
 * whenever the main thread has nothing else to do; in a frame of rest it comes round so
 * many times a millisecond, and what is missing of that is the time that the main thread
 * worked. Returns the work of each frame and the time between frames, in milliseconds.
 */
async function watch(page, during) {
  await page.run(() => {
    const channel = new MessageChannel();
    const frames = [];
    let rounds = 0;
    let last = performance.now();
    let on = true;
    channel.port1.onmessage = () => {
      rounds++;
      if (on) channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
    const frame = () => {
      const now = performance.now();
      frames.push({ ms: now - last, rounds });
      [last, rounds] = [now, 0];
      if (on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.stopWatching = () => {
      on = false;
      return frames.slice(1);
    };
  });
  await during();
  return page.run(() => window.stopWatching());
}

/**
 * The processor time of each frame on the main thread of the page's process, in
 * milliseconds. The page only notes when its frames begin; a thread of ours reads the
 * thread's account every millisecond. The kernel brings that up to date at its own ticks
 * (every few milliseconds) and whenever the thread rests, which it does between frames.
 */
async function spend(program, page, during) {
  const [web] = (await group(program.pid)).filter((one) => /WebKitWebPro/.test(one));
  const [pid] = web.split(' ');
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const account = join(repository, 'build', 'dev', 'bench', 'account.mjs');
  const reader = new Worker(account, { workerData: { path: `/proc/${pid}/task/${pid}/schedstat`, stop } });
  const read = new Promise((done, failed) => reader.once('message', done).once('error', failed));
  await page.run(() => {
    const begun = [];
    let on = true;
    const frame = () => {
      begun.push(performance.timeOrigin + performance.now());
      if (on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.stopNoting = () => {
      on = false;
      return begun;
    };
  });
  await during();
  const begun = await page.run(() => window.stopNoting());
  Atomics.store(stop, 0, 1);
  const samples = await read;
  let next = 0;
  const spent = begun.map((at) => {
    while (next + 1 < samples.length && samples[next + 1].at <= at) next++;
    return samples[next].ms;
  });
  return spent.slice(1).map((ms, n) => ms - spent[n]);
}

const work = (frames, pace) => frames.map(({ ms, rounds }) => Math.max(0, ms - rounds / pace));

/**
 * Lets an agent make calls, one after the other, as fast as they are answered. More at a
 * time would only measure how the agent and the page share two cores.
 */
async function callTools(client, count) {
  for (let n = 0; n < count; n++) await client.call('math_calculate', { expression: `${n} * 17` });
}

/** Opens a session of the list, the newest first, and waits until its lines are drawn. */
async function openSession(page, index) {
  await page.show('Desk');
  const sessions = await page.one('region', 'All sessions');
  await until(async () => (await page.all('link', /^/, sessions)).length > index, 'the session is listed');
  await page.driver.click((await page.all('link', /^/, sessions))[index]);
  await page.says(/Calculate/, 'the lines are drawn', await page.one('log', 'Timeline'));
}

async function measure(t) {
  const empty = emptyWindow();
  const at = await place(t);
  await mkdir(at.home, { mode: 0o700 });
  const product = (start) => launch(t, at, start);
  const bare = ({ preload, env }) => run(t, 'env', [`LD_PRELOAD=${preload}`, empty], { env: variables(at.user, env) });
  const full = await place(t);
  await putSets(full.home);
  const withSets = (start) => launch(t, full, start);
  const figures = { starts, lines, events, sets, paint: [], setsPaint: [], emptyPaint: [] };

  // The first of each only warms the caches of the disk.
  for (let round = 0; round <= starts; round++) {
    const one = await opened(t, product);
    await end(one.program);
    const loaded = await opened(t, withSets);
    await end(loaded.program);
    // Never both at once: what they share would count half.
    const other = await opened(t, bare);
    if (round === starts) figures.emptyMemory = await memory(other.program);
    await end(other.program);
    if (round) {
      figures.paint.push(one.paintMs);
      figures.setsPaint.push(loaded.paintMs);
      figures.emptyPaint.push(other.paintMs);
    }
  }

  // An agent makes a session of a thousand lines, and the window starts anew with it.
  const before = await opened(t, product);
  let client = await connect(t, at);
  await callTools(client, lines);
  await client.quit();
  await end(before.program);
  const { program, page } = await opened(t, product);
  await openSession(page, 0);
  await pause(5_000);
  figures.memory = await memory(program);
  figures.call = await call(page, (bound) => bound.Ask('{"id":"1","method":"Trusts","params":[]}'));
  figures.emptyCall = await call(page, (bound) => bound.Stay());

  // The storm is of a session that is open: its lines are drawn as they come.
  client = await connect(t, at);
  await callTools(client, 1);
  await openSession(page, 0);
  const rest = await watch(page, () => pause(3_000));
  const pace = median(rest.map(({ ms, rounds }) => rounds / ms));
  const storm = await watch(page, () => callTools(client, events / eventsOfCall));
  figures.frames = storm.length;
  figures.seconds = storm.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  figures.work = quantile(work(storm, pace), 0.95);
  figures.worst = Math.max(...work(storm, pace));
  figures.restWork = quantile(work(rest, pace), 0.95);
  figures.afterMemory = await memory(program);

  // The same once more, for the processor time: to watch for free time keeps the thread busy.
  const restSpent = await spend(program, page, () => pause(3_000));
  const spent = await spend(program, page, () => callTools(client, events / eventsOfCall));
  figures.spentFrames = spent.length;
  figures.spent = quantile(spent, 0.95);
  figures.worstSpent = Math.max(...spent);
  figures.restSpent = quantile(restSpent, 0.95);
  await end(program);
  const [paint, setsPaint, emptyPaint] = [figures.paint, figures.setsPaint, figures.emptyPaint].map(median);
  return { ...figures, paint, setsPaint, emptyPaint };
}

await report(measure);
