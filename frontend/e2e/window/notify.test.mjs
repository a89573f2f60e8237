// Notifications of the desktop: what a real service on a bus of its own receives, and that one
// that is missing or hangs changes nothing else.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { connect } from '../client.mjs';
import { until } from '../harness.mjs';
import { trust } from './demo.mjs';
import { openWindow, place, run } from './harness.mjs';
import { xdotool } from './screen.mjs';

const execFileAsync = promisify(execFile);
const answerMs = 10_000;
/** Runs a command against the bus of `env`, and gives what it printed. */
const ask = async (env, command, ...args) => (await execFileAsync(command, args, { env, timeout: answerMs })).stdout;

const orderly = { code: 0, signal: null };

/** A bus that starts nothing by itself, so that a test decides who shows notifications. */
async function bus(t) {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-bus-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const config = join(dir, 'bus.conf');
  const policy = '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>';
  await writeFile(
    config,
    `<busconfig><type>session</type><listen>unix:dir=${dir}</listen><policy context="default">${policy}</policy></busconfig>`,
  );
  const daemon = run(t, 'dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address=1']);
  const address = () => /^unix:\S+$/m.exec(daemon.output())?.[0];
  await until(async () => address() !== undefined, 'the bus is up');
  return { ...process.env, DBUS_SESSION_BUS_ADDRESS: address() };
}

/** Whether somebody on the bus shows notifications. */
async function served(env) {
  const call = ['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
  const owner = ['--method', 'org.freedesktop.DBus.NameHasOwner', 'org.freedesktop.Notifications'];
  return (await ask(env, 'gdbus', ...call, ...owner)).includes('true');
}

/** The notifications that dunst has had, the latest first, with what stands on the screen. */
async function received(env) {
  await ask(env, 'dunstctl', 'close-all');
  return JSON.parse(await ask(env, 'dunstctl', 'history')).data[0].map((one) => [
    one.appname.data,
    one.summary.data,
    one.body.data,
  ]);
}

/** How many notifications stand on the screen. */
const standing = async (env) => Number(await ask(env, 'dunstctl', 'count', 'displayed'));

const active = () => xdotool('getactivewindow').catch(() => '');

test('the desktop is told of a call behind the window, and a click brings its card', async (t) => {
  const env = await bus(t);
  run(t, 'dunst', ['-conf', '/dev/null'], { env });
  await until(() => served(env), 'dunst is up');
  const window = await openWindow(t, await place(t), {
    env: { DBUS_SESSION_BUS_ADDRESS: env.DBUS_SESSION_BUS_ADDRESS },
  });
  const client = await connect(t, window);
  const first = client.call('write', { file_path: 'first.txt', content: 'one' });
  await trust(window.page);
  await window.page.card('first.txt');
  await window.page.show('Tools');

  await xdotool('windowminimize', '--sync', window.id);
  const second = client.call('bash', { command: 'echo secret-words' });
  await until(async () => (await standing(env)) === 1, 'a notification stands on the screen');
  await ask(env, 'dunstctl', 'action', '0');
  await until(async () => (await active()) === window.id, 'the click brings the window to the front');
  await window.page.one('listbox', /./);
  assert.match(await window.page.run(() => location.hash), /^#\/approvals/);
  await until(async () => (await standing(env)) === 0, 'what the person sees is not told');

  const heard = await received(env);
  assert.equal(heard.length, 1, JSON.stringify(heard));
  const [name, title, body] = heard[0];
  assert.deepEqual([name, title], ['Countersign', '2 calls wait for you']);
  assert.match(body, /^write · .+\nbash · .+$/);
  assert.doesNotMatch(body, /first\.txt|echo|secret/);
  assert.deepEqual(await window.stop(), orderly);
  await Promise.all([first, second]);
});

/** What a service is that makes trouble, and how it comes to be on the bus of `env`. */
const troubles = {
  'no bus': async () => ({ DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined }),
  'nobody on the bus who shows notifications': async (t, env) => env,
  'a service that hangs': async (t, env) => {
    const dunst = run(t, 'dunst', ['-conf', '/dev/null'], { env });
    await until(() => served(env), 'dunst is up');
    process.kill(dunst.pid, 'SIGSTOP');
    return env;
  },
};

for (const [trouble, make] of Object.entries(troubles))
  test(`${trouble}: calls are asked, answered and run as ever, and the window ends in order`, async (t) => {
    const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } = await make(t, await bus(t));
    const window = await openWindow(t, await place(t), { env: { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } });
    const client = await connect(t, window);
    await xdotool('windowminimize', '--sync', window.id);
    const call = client.call('write', { file_path: 'a.txt', content: 'one' });
    const log = join(window.home, 'logs', 'desktop.log');
    await until(
      async () => (await readFile(log, 'utf8')).includes('the desktop showed no notification'),
      'it was tried',
    );
    await xdotool('windowmap', '--sync', window.id);
    await trust(window.page);
    const card = await window.page.card('a.txt');
    await window.page.click('button', /^Allow once/, card);
    assert.equal((await call).isError ?? false, false);
    assert.equal(await readFile(join(window.workspace, 'a.txt'), 'utf8'), 'one');
    assert.deepEqual(await window.stop(), orderly);
  });
