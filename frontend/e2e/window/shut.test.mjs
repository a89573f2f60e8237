// The window shows its own page and nothing else, and a page that ends comes back.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { until } from '../harness.mjs';
import { group, launch, openWindow, place } from './harness.mjs';
import { windowsOf, xdotool } from './screen.mjs';

/** A server that counts who comes. */
async function trap(t) {
  let visits = 0;
  const server = http.createServer((_, answer) => {
    visits++;
    answer.end('<title>elsewhere</title>');
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => new Promise((closed) => server.close(closed)));
  return { url: `http://127.0.0.1:${server.address().port}/`, visits: () => visits };
}

test('no script, link or form leads anywhere, and nothing is fetched', async (t) => {
  const at = await place(t);
  const file = join(at.workspace, 'page.html');
  await writeFile(file, '<title>elsewhere</title>');
  const window = await openWindow(t, at);
  const { url, visits } = await trap(t);
  const tries = await window.page.run(
    async (url, file) => {
      const said = {};
      const link = document.body.appendChild(document.createElement('a'));
      for (const [name, href, target] of [
        ['link', url, ''],
        ['new window', url, '_blank'],
        ['file', `file://${file}`, ''],
        ['data', 'data:text/html,elsewhere', ''],
      ]) {
        Object.assign(link, { href, target });
        link.click();
        said[name] = location.protocol;
      }
      location.assign(url);
      said.opened = String(window.open(url));
      const form = document.body.appendChild(document.createElement('form'));
      form.action = url;
      form.submit();
      said.fetched = await fetch(url).then(
        () => 'yes',
        () => 'no',
      );
      said.image = await new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('yes');
        image.onerror = () => resolve('no');
        image.src = `${url}x.png`;
      });
      said.script = await new Promise((resolve) => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ran = true';
        document.body.append(script);
        setTimeout(() => resolve(globalThis.ran ? 'ran' : 'refused'), 50);
      });
      link.remove();
      form.remove();
      return said;
    },
    url,
    file,
  );
  assert.deepEqual(tries, {
    ...{ link: 'wails:', 'new window': 'wails:', file: 'wails:', data: 'wails:' },
    ...{ opened: 'null', fetched: 'no', image: 'no', script: 'refused' },
  });
  await window.page.show('Tools');
  assert.equal(await window.page.run(() => location.origin + location.pathname), 'wails://wails/');
  assert.equal(visits(), 0);
});

test('a page whose process ends is loaded again, and after several ends the window says so', async (t) => {
  const at = await place(t);
  const program = launch(t, at);
  const log = () => readFile(join(at.home, 'logs', 'desktop.log'), 'utf8').catch(() => '');
  const pages = async () => (await log()).split('the page is there').length - 1;
  for (let i = 1; i <= 4; i++) {
    await until(async () => (await pages()) === i, `page ${i} is there: ${program.output()}`, 30_000);
    const page = (await group(program.pid)).find((one) => /WebKitWebProces/.test(one));
    process.kill(Number(page.split(' ')[0]), 'SIGKILL');
  }
  const titled = async () => {
    const [id] = await windowsOf(program.pid);
    return (
      id !== undefined && (await xdotool('getwindowname', id)) === 'The page has ended several times - Countersign'
    );
  };
  await until(titled, 'the window says what happened', 30_000);
  assert.ok(program.running(), program.output());
  program.child.kill('SIGTERM');
  assert.deepEqual(await program.end(), { code: 0, signal: null });
});
