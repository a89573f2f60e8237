// Programs that tests start.
import { spawn } from 'node:child_process';

// What a program has printed is read long before this.
const outputMs = 2_000;

/**
 * Starts a program. `ended` gives how it ended, once all that it printed was read. Output that is
 * held open after that, by something that it left behind, is not waited for.
 */
export function start(command, args, options) {
  const child = spawn(command, args, options);
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => {
      const held = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
        resolve({ code, signal });
      }, outputMs);
      child.once('close', () => {
        clearTimeout(held);
        resolve({ code, signal });
      });
    });
  });
  return { child, ended };
}

/** Kills a program that was started as the first of a process group, and what else is in that. */
export function killGroup({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
