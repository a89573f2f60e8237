// Drives the real page: a desk started from the built executable, and the
// system's Chromium in front of it. Every journey owns its desk, its home and
// its workspace, and ends only what it started.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { cp, mkdtemp, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

import { start } from './program.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** The script of axe, and the rules that every page is held to. */
export const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const axeRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const repository = dirname(dirname(here));
export const executable = process.env.COUNTERSIGN_BIN ?? join(repository, 'build', 'bin', 'countersign');
export const shots = join(here, 'shots');
export const themes = ['light', 'dark'];
export const sizes = { wide: { width: 1280, height: 800 }, small: { width: 900, height: 600 } };

const startMs = 20_000;
const stopMs = 10_000;

const chromiumArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Screenshots of two runs on one machine are to be the same.
  '--force-device-scale-factor=1',
  '--hide-scrollbars',
];

/** Makes a folder for one journey that is removed after it. */
export async function scratch(t, name = 'countersign') {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A user's home, our home in it where a client looks that was told nothing else, and a workspace. */
export async function place(t) {
  const user = await scratch(t, 'countersign-user');
  return { user, home: join(user, '.countersign'), workspace: await scratch(t, 'countersign-work') };
}

/** Puts the demo workspace and its settings at a place; gives what a desk is started with there. */
export async function demo(at) {
  const samples = join(repository, 'build', 'samples');
  await mkdir(at.home, { mode: 0o700 });
  await cp(join(samples, 'demo'), at.workspace, { recursive: true });
  await cp(join(samples, 'demo.config.json'), join(at.home, 'config.json'));
  return { ...at, args: ['--model', `scripted:${join(samples, 'demo.task.json')}`] };
}

/**
 * Starts `countersign serve` and waits for its one-time address. `home` and
 * `workspace` default to new folders, `user` is told again; `args` are further flags, `env` further
 * variables. The desk is stopped after the test; `stop()` ends it sooner.
 */
export async function startDesk(t, { user, home, workspace, args = [], env = {} } = {}) {
  const at = {
    user,
    home: home ?? (await scratch(t, 'countersign-home')),
    workspace: workspace ?? (await scratch(t, 'countersign-work')),
  };
  const { child, ended } = start(executable, ['serve', '--home', at.home, '--workspace', at.workspace, ...args], {
    cwd: at.workspace,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const desk = {
    ...at,
    pid: child.pid,
    url: '',
    input: '',
    about: [],
    output: () => said,
    /** Ends the desk with a signal and waits until it has gone. */
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return ended;
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
      const how = await ended;
      clearTimeout(late);
      return how;
    },
  };
  t.after(() => desk.stop());
  desk.url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no address after ${startMs} ms:\n${said}`)), startMs);
    const read = (chunk) => {
      said += chunk;
      const address = /http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/\S*/.exec(said)?.[0];
      if (!address) return;
      clearTimeout(late);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', (chunk) => (said += chunk));
    child.once('error', reject);
    ended.then(({ code }) => {
      clearTimeout(late);
      reject(new Error(`serve ended with ${code} before it gave an address:\n${said}`));
    });
  });
  return desk;
}

/**
 * Starts Chromium, which is closed after a test, or after all tests of a file where `t` has the
 * hooks of the file. Every page has a profile of its own, so that the tests of a file can share it.
 */
export async function startBrowser(t) {
  // The same engine as /usr/bin/chromium, which would draw its own toolbars too, on no screen.
  const executablePath = '/usr/bin/chromium-headless-shell';
  const browser = await chromium.launch({ executablePath, args: chromiumArgs });
  t.after(() => browser.close());
  return browser;
}

/**
 * Opens an address in a fresh browser profile. What the page logs as an error
 * or throws is kept in `errors`, so that a journey can assert that it is empty.
 */
export async function openPage(browser, url, { theme = 'light', size = 'wide', reducedMotion = 'reduce' } = {}) {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion,
    locale: 'en-US',
  });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(url);
  return { page, context, errors, close: () => context.close() };
}

// A busy machine is no fault.
const defaultMs = 30_000;

/** Waits until a check holds; what names it when it does not. */
export async function until(check, what, untilMs = defaultMs) {
  // The longer it takes, the less a moment more matters, and to look takes time from what is waited for.
  for (let [end, pause] = [Date.now() + untilMs, 20]; ; pause = Math.min(pause * 1.5, 200)) {
    if (await check()) return;
    if (Date.now() > end) throw new Error(`not within ${untilMs} ms: ${what}`);
    await new Promise((again) => setTimeout(again, pause));
  }
}

/** Opens the page of a desk, for the time of a test, and waits until it has read its first snapshot. */
export async function openDesk(t, browser, desk, options = {}) {
  const opened = await openPage(browser, desk.url, options);
  t.after(opened.close);
  await opened.page.getByRole('navigation', { name: 'Views' }).waitFor();
  return opened;
}

/** What stands in a view as soon as it has read what it shows. */
const contents = {
  desk: '.timeline, .empty',
  approvals: '.empty, [data-guard]',
  tools: '[role=switch], .none',
  processes: 'table, .none, .fault',
  history: '.results, .none',
  connect: 'li',
  settings: '[role=radiogroup]',
};

/** Matches when the view at an address is shown, has the keys, and has read what it shows. */
export function viewAt(hash) {
  const name = hash.split('/')[1];
  return `.app:has(nav a[href="#/${name}"][aria-current]) main:is(:focus, :has(:focus)):has(${contents[name] ?? '*'})`;
}

/** Shows a view by its name in the rail, and waits until it takes keys. */
export async function showView(page, name) {
  const link = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
  await link.click();
  await page.locator(viewAt(await link.getAttribute('href'))).waitFor();
}

/** What happened in the open session. */
export const timeline = (page) => page.getByRole('log', { name: 'Timeline' });

/** How many elements the page holds. */
export const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length);

/** Opens the first waiting call whose row holds the text and waits for its card. */
export async function openCard(page, text = '') {
  await showView(page, /^Approvals/);
  const row = page
    .getByRole('listbox', { name: /Waiting calls/ })
    .getByRole('option')
    .filter({ hasText: text });
  await row.first().click();
  const card = page.getByRole('article', { name: 'Approval' });
  await card.getByRole('group', { name: 'Answer' }).waitFor();
  // The bar takes no answer while a card is new; the page says when it does.
  await page.locator('[data-guard="open"]').waitFor();
  return card;
}

/** Allows the waiting call whose card holds the text, by the key that its button names. */
export async function allowOnce(page, text) {
  const card = await openCard(page, text);
  const risky = await card.getByRole('button', { name: /^Hold to allow once/ }).count();
  const list = page.getByRole('listbox', { name: /Waiting calls/ });
  const row = await list.locator('[role=option][aria-selected=true]').getAttribute('id');
  await page.keyboard.press(risky ? 'Control+Enter' : 'a');
  // A letter counts once it stayed alone for a moment, and only while its card is in view.
  // Below the pointer a row keeps its place when it is answered.
  await list.locator(`[id="${row}"]:not(.gone)`).waitFor({ state: 'detached' });
}

/** Whether pictures are kept of what a journey comes to. No test reads them, and to draw them takes time. */
export const pictures = process.env.PICTURES === '1';

/** Waits until the page is drawn with its fonts; with PICTURES=1 keeps a picture of it. */
export async function screenshot(page, name, theme, size) {
  if (pictures) return keepPicture(page, name, theme, size);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  });
}

/** Writes a picture of the page into e2e/shots. */
export async function keepPicture(page, name, theme, size) {
  await mkdir(shots, { recursive: true });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const path = join(shots, `${name}-${theme}-${sizes[size].width}x${sizes[size].height}.png`);
  await page.screenshot({ path, animations: 'disabled' });
}

/** The faults that axe finds on the page as it stands, in words; empty when there are none. */
export async function axe(page) {
  // To read the script takes as long as to run it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (rules) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    return violations.map((fault) => ({
      id: fault.id,
      help: fault.help,
      nodes: fault.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }));
  }, axeRules);
  return found.map((fault) => `${fault.id}: ${fault.help}\n  ${fault.nodes.join('\n  ')}`);
}

// Colours depend on the theme and the layout on the size, neither on both.
const appearances = pictures
  ? themes.flatMap((theme) => Object.keys(sizes).map((size) => ({ theme, size })))
  : [
      { theme: 'light', size: 'wide' },
      { theme: 'dark', size: 'small' },
    ];

/** Looks at the page in both themes and both sizes, and leaves it wide. */
export async function inEach(page, look) {
  for (const { theme, size } of appearances) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizes[size]);
    await look(theme, size);
  }
  await page.setViewportSize(sizes.wide);
}

/** Holds the page as it stands to axe in both themes and sizes, with a picture of each; `more` looks further. */
export const looks = (page, name, more = async () => {}) =>
  inEach(page, async (theme, size) => {
    await screenshot(page, name, theme, size);
    assert.deepEqual(await axe(page), [], `${name}, ${theme}, ${size}`);
    await more();
  });

/** Answers the question that comes before the first call that changes something. */
export async function trust(page) {
  await showView(page, /^Approvals/);
  await page.getByRole('option').filter({ hasText: 'Trust this folder?' }).click();
  const question = page.getByRole('article', { name: 'Trust question' });
  await question.locator('[data-guard="open"]').waitFor();
  await question.getByRole('button', { name: 'Yes, trust it' }).click();
}

/** Allows a waiting call that must be held to be allowed. */
export async function holdToAllow(page, text) {
  const card = await openCard(page, text);
  await card.getByRole('button', { name: /^Hold to allow once/ }).hover();
  await page.mouse.down();
  await card.waitFor({ state: 'detached' });
  await page.mouse.up();
}
