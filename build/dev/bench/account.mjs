// Reads the processor time of a thread over and over, in a thread of its own so that nothing
// keeps it waiting, until it is told to stop. Then it tells all: when, and how many milliseconds.
import { openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 1;
const { path, stop } = workerData;
const file = openSync(path, 'r');
const text = Buffer.alloc(256);
const samples = [];
do {
  const length = readSync(file, text, 0, text.length, 0);
  const [nanoseconds] = text.toString('latin1', 0, length).split(' ');
  samples.push({ at: performance.timeOrigin + performance.now(), ms: Number(nanoseconds) / 1e6 });
} while (Atomics.wait(stop, 0, 0, everyMs) === 'timed-out');
parentPort.postMessage(samples);
