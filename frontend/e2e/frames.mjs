// What the main thread of the page spends on its frames, in processor time, so that a
// machine that is busy with other work does not count.

const categories = [
  'toplevel',
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  'devtools.timeline.frame',
  'blink.user_timing',
];

/**
 * Does a piece of work and returns what each frame of it cost the main thread, in
 * milliseconds: how many frames there were, the median, the 95th of 100 and the worst.
 */
export async function frames(page, work) {
  await page.context().browser().startTracing(page, { categories });
  await page.evaluate(() => performance.mark('work-begins'));
  const result = await work();
  await page.evaluate(() => performance.mark('work-ends'));
  const { traceEvents } = JSON.parse((await page.context().browser().stopTracing()).toString());
  const spent = perFrame(traceEvents).sort((a, b) => a - b);
  const at = (share) => spent[Math.min(spent.length - 1, Math.floor(spent.length * share))] ?? 0;
  return { result, frames: spent.length, median: at(0.5), p95: at(0.95), worst: spent.at(-1) ?? 0 };
}

/** The processor time of the main thread's tasks from one frame to the next. */
function perFrame(events) {
  const begins = events.find((one) => one.name === 'work-begins');
  const ends = events.findLast((one) => one.name === 'work-ends');
  const here = (one) => one.pid === begins.pid && one.tid === begins.tid && one.ts >= begins.ts && one.ts <= ends.ts;
  // Each task is told once or twice, by different names: one of them counts.
  const named = events.filter((one) => here(one) && one.ph === 'X' && /RunTask$/.test(one.name));
  const { name } = named.find((one) => one.name === 'ThreadControllerImpl::RunTask') ?? { name: 'RunTask' };
  const tasks = named.filter((one) => one.name === name);
  const starts = events
    .filter((one) => here(one) && /^(?:FireAnimationFrame|BeginMainThreadFrame)$/.test(one.name))
    .map((one) => one.ts);
  starts.sort((a, b) => a - b);
  // Both names may stand for one frame.
  const apart = starts.filter((at, i) => i === 0 || at - starts[i - 1] > 4_000);
  tasks.sort((a, b) => a.ts - b.ts);
  const spent = new Array(apart.length).fill(0);
  let frame = -1;
  for (const task of tasks) {
    // The task that holds the start of a frame belongs to that frame.
    while (frame + 1 < apart.length && apart[frame + 1] <= task.ts + task.dur) frame++;
    if (frame >= 0) spent[frame] += (task.tdur ?? task.dur) / 1_000;
  }
  return spent;
}
