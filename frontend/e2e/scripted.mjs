// An agent that keeps to a script, with programs for it to run.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { demo } from './harness.mjs';

// A server that says that it is ready, answers each line, and leaves a child behind that only
// the end of the whole tree ends.
const server = `sleep 300 &
echo $! > child.pid
printf '\\033[32mready\\033[0m on \\033[36mport 5173\\033[0m\\n'
while read -r line; do printf 'got \\033[33m%s\\033[0m\\n' "$line"; done
`;
const failing = `printf '\\033[30;41m FAIL \\033[0m cart.test: expected 1216, got 1215\\n'
printf '10 %%\\r100 %%\\n'
exit 1
`;

/** The steps of a scripted agent, one call each: [what it says, its tool, its arguments]. */
function script(title, steps) {
  const told = steps.map(([say, tool, args], i) => ({
    id: `step${i}`,
    say,
    ...(tool ? { calls: [{ tool, arguments: args }] } : {}),
    ...(i + 1 < steps.length ? { next: { default: `step${i + 1}` } } : {}),
  }));
  return JSON.stringify({ title, steps: told });
}

/** Puts the demo workspace, those programs and a script at a place; gives what a desk is started with there. */
export async function scripted(at, title, steps) {
  const ready = await demo(at);
  await writeFile(join(at.workspace, 'server.sh'), server);
  await writeFile(join(at.workspace, 'test.sh'), failing);
  const task = join(at.home, 'task.json');
  await writeFile(task, script(title, steps));
  return { ...ready, args: ['--model', `scripted:${task}`] };
}
