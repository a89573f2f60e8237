// Starts the built window on the screen that desktop.sh gave, and attaches a driver to
// it. Every test owns its window, its home and its workspace, and ends what it started.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pictures, place, repository, shots as allShots, sizes, until } from '../harness.mjs';
import { killGroup, start } from '../program.mjs';
import { Driver } from './driver.mjs';
import { Page } from './page.mjs';
import { geometry, pixels, windowsOf, writePicture, xdotool } from './screen.mjs';

const here = dirname(fileURLToPath(import.meta.url));

export const executable =
  process.env.COUNTERSIGN_DESKTOP_BIN ?? join(repository, 'build', 'bin', 'countersign-desktop');
export const shots = join(allShots, 'window');
export { place };

const startMs = 30_000;
const stopMs = 10_000;

/** Compiles the library that lets the driver in, when it is missing or older than its source. */
export function shim() {
  const source = join(here, 'shim.c');
  const library = join(repository, 'build', 'bin', 'window-shim.so');
  if (existsSync(library) && statSync(library).mtimeMs > statSync(source).mtimeMs) return library;
  const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'webkit2gtk-4.1'], { encoding: 'utf8' });
  execFileSync('gcc', [
    '-O1',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-fPIC',
    '-shared',
    '-o',
    library,
    source,
    ...flags.trim().split(/\s+/),
  ]);
  return library;
}

async function freePort() {
  const server = net.createServer();
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The variables that a window gets: few, and the same on every machine. */
export function variables(user, more = {}) {
  const { PATH, DISPLAY, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, GDK_BACKEND } = process.env;
  const all = { PATH, DISPLAY, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, GDK_BACKEND, HOME: user, LANG: 'C.UTF-8' };
  return Object.fromEntries(Object.entries({ ...all, ...more }).filter(([, value]) => value !== undefined));
}

/**
 * Starts a program in a process group of its own, and keeps what it prints. Whatever of
 * the group is left after the test is killed.
 */
export function run(t, command, args, options = {}) {
  const { child, ended } = start(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk) => (said += chunk));
  child.once('error', (error) => (said += String(error)));
  const kill = () => killGroup(child);
  t.after(() => {
    kill();
    return ended;
  });
  return {
    child,
    pid: child.pid,
    ended,
    output: () => said,
    running: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    /** Waits for the end; a program that stays is killed, and the test told. */
    async end(ms = stopMs) {
      let late;
      const limit = new Promise((_, reject) => {
        late = setTimeout(() => {
          kill();
          reject(new Error(`${command} did not end within ${ms} ms:\n${said}`));
        }, ms);
      });
      try {
        return await Promise.race([ended, limit]);
      } finally {
        clearTimeout(late);
      }
    },
  };
}

/** The processes of a group that still run, as pid and name. */
export async function group(id) {
  const running = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, name, state, of] = /^\d+ \((.*)\) (\S) \d+ (\d+)/s.exec(stat) ?? [];
    if (Number(of) === id && state !== 'Z') running.push(`${pid} ${name}`);
  }
  return running;
}

/**
 * Starts the window at a place; it is not yet there when this returns. `wrap` is a command
 * that starts it, `preload` a library for it alone, `program` the window itself.
 */
export function launch(t, at, { args = [], env = {}, wrap = [], preload, program = executable } = {}) {
  const first = preload ? ['env', `LD_PRELOAD=${preload}`] : [];
  const [command, ...rest] = [...wrap, ...first, program, '--home', at.home, '--workspace', at.workspace, ...args];
  return run(t, command, rest, { cwd: at.workspace, env: variables(at.user, env) });
}

/** What a program needs to start with, so that a driver can attach to it at an address. */
export function driven(target) {
  return { preload: shim(), env: { WINDOW_DRIVER_ADDRESS: target } };
}

/** A free address, for a driver to attach at. */
export async function address() {
  return `127.0.0.1:${await freePort()}`;
}

/**
 * Attaches a driver to a program that was started with `driven`, when its window is on the
 * screen and its page shows what `shows` names. Gives the window's id and its page.
 */
export async function attach(t, program, target, shows = ['navigation', 'Views']) {
  const port = await freePort();
  const server = run(t, 'WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`, `--target=${target}`]);
  const driver = new Driver(port);
  await until(() => driver.ready(), 'the driver is up', startMs);
  let id;
  await until(
    async () => {
      assert.ok(program.running(), `the window ended before it was there:\n${program.output()}`);
      [id] = await windowsOf(program.pid);
      return id !== undefined;
    },
    'the window is on the screen',
    startMs,
  );
  await driver.open();
  const page = new Page(driver);
  // A script that runs while the page comes in is lost with what was there before.
  const drawn = () => page.all(...shows).catch(() => []);
  await until(async () => (await drawn()).length === 1, 'the page is drawn', startMs);
  return { id, page, server };
}

/**
 * Opens the window at a place, with a driver attached, and waits until its page has read
 * its first snapshot, or shows what `shows` names. The other options are those of launch.
 */
export async function openWindow(t, at, { shows, env = {}, ...options } = {}) {
  const target = await address();
  const start = driven(target);
  const program = launch(t, at, { ...start, ...options, env: { ...start.env, ...env } });
  const { id, page, server } = await attach(t, program, target, shows);
  return {
    ...at,
    ...program,
    id,
    page,
    place: () => geometry(id),
    /** Presses keys on the keyboard of the screen, for example ctrl+2. */
    keys: (...chords) => xdotool('windowfocus', '--sync', id, 'key', ...chords),
    /** Moves the pointer of the screen to the middle of an element, and clicks. */
    async point(element) {
      const [x, y] = await page.run((one) => {
        const box = one.getBoundingClientRect();
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
      }, element);
      // Not --sync: xdotool would wait for a pointer that is there already to move.
      await xdotool('mousemove', '--window', id, x, y, 'click', 1);
    },
    /** Makes the window so large, and waits until it is. */
    async resize(width, height) {
      await xdotool('windowsize', id, width, height);
      const fits = (now) => now.width === width && now.height === height;
      await until(async () => fits(await geometry(id)), `the window is ${width} by ${height}`);
    },
    /** Ends the window with a signal, or by what `by` does, and gives how it ended. */
    async stop(by = () => process.kill(program.pid, 'SIGTERM')) {
      await by();
      const how = await program.end();
      server.child.kill();
      return how;
    },
  };
}

/** What the window shows on the screen, when it has come to rest, with the pointer away from it. */
export async function still(window) {
  const part = await window.place();
  await xdotool('mousemove', 1399, 899);
  let last = Buffer.alloc(0);
  let seen;
  await until(async () => {
    seen = await pixels(part);
    const rests = seen.rgb.equals(last);
    last = seen.rgb;
    return rests;
  }, 'the window rests');
  return seen;
}

/** Waits until the page has nothing left to draw or move. */
const rest = (page) =>
  page.run(async () => {
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
    await Promise.allSettled(ends.map((one) => one.finished));
  });

/** Waits until the window rests, with the pointer away from it; with PICTURES=1 keeps a picture beside those of Chromium. */
export async function picture(window, name) {
  if (pictures) return writePicture(join(shots, `${name}.png`), await still(window));
  await xdotool('mousemove', 1399, 899);
  await rest(window.page);
}

// As in Chromium: colours depend on the theme and the layout on the size, neither on both.
const sizesIn = { light: Object.entries(sizes), dark: Object.entries(sizes).slice(1) };

/** Makes a window of a theme as large as it is looked at, one size after the other. */
export async function inEachSize(window, theme, look) {
  for (const [size, { width, height }] of pictures ? Object.entries(sizes) : sizesIn[theme]) {
    await window.resize(width, height);
    await until(async () => (await window.page.run(() => innerWidth)) === width, `the page is ${width} wide`);
    await look(size);
  }
}

/** Whether axe looks at a page in a theme and size: every theme and every size once. */
export const axeIn = (theme, size) => pictures || (theme === 'light') === (size === 'wide');
