// WebKit's inspector: whoever reaches its port can click in the window, and a port is open to
// every user of the machine. The window opens none, whatever its environment says.
import assert from 'node:assert/strict';
import { readdir, readFile, readlink } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';

import { until } from '../harness.mjs';
import { group, launch, openWindow, place } from './harness.mjs';
import { windowsOf } from './screen.mjs';

const listens = '0A';

/** The ports of this machine that are listened on, by the inode of their socket. */
async function ports() {
  const found = new Map();
  for (const table of ['tcp', 'tcp6']) {
    for (const line of (await readFile(`/proc/net/${table}`, 'utf8')).split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === listens) found.set(inode, parseInt(local.split(':')[1], 16));
    }
  }
  return found;
}

/** The ports that the processes of a program listen on. */
async function portsOf(program) {
  const all = await ports();
  const own = new Set();
  for (const process of await group(program.pid)) {
    const folder = `/proc/${process.split(' ')[0]}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const inode = /^socket:\[(\d+)\]$/.exec(await readlink(`${folder}/${name}`).catch(() => ''))?.[1];
      if (all.has(inode)) own.add(all.get(inode));
    }
  }
  return [...own];
}

/** Whether anybody answers at an address. */
function answers(at) {
  const [host, port] = at.split(':');
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Starts the window and waits until its page is loaded: by then WebKit has opened what it opens. */
async function shown(t, options) {
  const program = launch(t, await place(t), options);
  await until(
    async () => (await windowsOf(program.pid)).length > 0,
    `the window is there: ${program.output()}`,
    30_000,
  );
  const page = async () => (await group(program.pid)).some((one) => /WebKitWebProces/.test(one));
  await until(page, 'the page has its process', 30_000);
  return program;
}

/** An address that nobody listens at. */
async function free() {
  const server = net.createServer();
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return `127.0.0.1:${port}`;
}

test('no variable of the environment opens the inspector', async (t) => {
  const [server, http] = [await free(), await free()];
  const program = await shown(t, {
    env: { WEBKIT_INSPECTOR_SERVER: server, WEBKIT_INSPECTOR_HTTP_SERVER: http },
  });
  assert.equal(await answers(server), false);
  assert.equal(await answers(http), false);
  assert.deepEqual(await portsOf(program), []);
});

// The library that lets the driver in sets the variable again, after the window has dropped it.
test('where the variable comes back, the port is open, and this test sees it', async (t) => {
  const window = await openWindow(t, await place(t));
  const [port, ...more] = await portsOf(window);
  assert.deepEqual(more, []);
  assert.equal(await answers(`127.0.0.1:${port}`), true);
});
