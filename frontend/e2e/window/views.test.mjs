// Every view in its window: reached by keys and by clicks, whole at both sizes and in
// both themes, with nothing that axe finds and every control named and reached by Tab.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until, viewAt } from '../harness.mjs';
import { giveTask, openDemo, trust } from './demo.mjs';
import { keys } from './driver.mjs';
import { axeIn, inEachSize, openWindow, picture, place } from './harness.mjs';
import { axeFaults, layoutFaults, tabStops } from './look.mjs';

// What the desktop says of its theme. The page follows it.
const themes = { light: { GTK_THEME: 'Adwaita' }, dark: { GTK_THEME: 'Adwaita:dark' } };

/** The demo with a session behind it and a call that waits. */
async function openScene(t, theme) {
  const window = await openDemo(t, { env: themes[theme] });
  await giveTask(window.page);
  await trust(window.page);
  await window.page.one('region', /^Change of .*cart\.ts/, await window.page.one('article', 'Approval'));
  return window;
}

/** The names of the views as the rail has them. */
async function viewsOf(page) {
  return page.run(() => [...document.querySelectorAll('nav[aria-label="Views"] a')].map((one) => one.hash.slice(2)));
}

const reach = (page, view) => page.matches(viewAt(`#/${view}`));

/** What opens in a view or over it: the keys to where it opens, what is there first, the keys to it, and what is there then. */
const openings = [
  { name: 'reader', from: 'ctrl+5', on: '.results .res', by: ['j', 'Return'], there: ['region', 'Session'] },
  { name: 'tool', from: 'ctrl+3', on: 'main [role="switch"]', by: ['j'], there: ['complementary', /^Tool /] },
  { name: 'palette', from: 'ctrl+2', on: '.card-head', by: ['ctrl+k'], there: ['combobox', /^/] },
  { name: 'keyboard', from: 'ctrl+2', on: '.card-head', by: ['question'], there: ['heading', 'The open card'] },
  { name: 'quit', from: 'ctrl+2', on: '.card-head', by: ['alt+F4'], there: ['alertdialog', /^1 call waits/] },
];

/** Looks at what is shown: takes a picture, and gives what is cut or covered and what axe finds. */
async function look(window, name, theme, size) {
  await picture(window, `${name}-${theme}-${size}`);
  const faults = await layoutFaults(window.page);
  if (axeIn(theme, size)) faults.push(...(await axeFaults(window.page)));
  return faults.map((fault) => `${name}, ${size}: ${fault}`);
}

/** Walks through the page with Tab from its first stop, and gives what had the focus, in order. */
async function walk(page) {
  const stops = await page.run(tabStops);
  await page.run((second) => second.focus(), stops[1]);
  await page.press(keys.shift, keys.tab);
  const came = [];
  for (let step = 0; step < stops.length; step++) {
    if (step) await page.press(keys.tab);
    const focused = `() => {
      const one = document.activeElement;
      // A field in a frame shows its focus on the frame, a row on what lies over it.
      const rings = [getComputedStyle(one), getComputedStyle(one.parentElement), getComputedStyle(one, '::after')];
      const seen = rings.some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none');
      return { at: (${tabStops})().indexOf(one), seen, html: one.outerHTML.slice(0, 120) };
    }`;
    came.push(await page.run(focused));
  }
  return { stops, came };
}

for (const theme of Object.keys(themes)) {
  test(`every view is whole and without fault, ${theme}`, async (t) => {
    const window = await openScene(t, theme);
    const { page } = window;
    const dark = () => page.run(() => matchMedia('(prefers-color-scheme: dark)').matches);
    await until(async () => (await dark()) === (theme === 'dark'), `the theme is ${theme}`);
    const views = await viewsOf(page);
    assert.deepEqual(views.slice(0, 3), ['desk', 'approvals', 'tools']);
    const faults = [];
    await inEachSize(window, theme, async (size) => {
      for (const [index, view] of views.entries()) {
        if (size === 'wide') await window.keys(`ctrl+${index + 1}`);
        else await page.driver.click(await page.run((to) => document.querySelector(`nav a[href="#/${to}"]`), view));
        await reach(page, view);
        faults.push(...(await look(window, view, theme, size)));
      }
      for (const { name, from, on, by, there } of openings) {
        await window.keys(from);
        await page.matches(on);
        await window.keys(...by);
        await page.one(...there);
        faults.push(...(await look(window, name, theme, size)));
        // The engine would paint the scroll bars of what lies behind over it.
        const bars = `() => document.querySelector('dialog[open]') ?
          [...document.querySelectorAll('main .scroll')].map((one) => getComputedStyle(one).overflowY) : []`;
        faults.push(
          ...(await page.run(bars)).filter((bar) => bar !== 'hidden').map((bar) => `${name}: a bar is ${bar}`),
        );
        await window.keys('Escape');
        await page.none(...there);
      }
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(await window.stop(), { code: 0, signal: null });
  });
}

test('Tab stops at every control of every view, in order, and each has a name', async (t) => {
  const window = await openScene(t, 'light');
  const { page } = window;
  for (const view of await viewsOf(page)) {
    await page.run((to) => (location.hash = `#/${to}`), view);
    await reach(page, view);
    const { stops, came } = await walk(page);
    assert.deepEqual(
      came.map(({ at }) => at),
      [...stops.keys()],
      `${view}: ${JSON.stringify(came)}`,
    );
    assert.deepEqual(
      came.filter(({ seen }) => !seen),
      [],
      `${view}: a focus that shows`,
    );
    const spoken = await Promise.all(stops.map((one) => page.driver.spoken(one)));
    assert.deepEqual(
      spoken.filter(({ role, name }) => !role || !name.trim()),
      [],
      `${view}: controls without a name`,
    );
  }
});

test('what is cut, covered, beyond the edge or ends in dots is found', async (t) => {
  const { page } = await openWindow(t, await place(t));
  await page.run(() => {
    const put = (tag, words, style) => {
      const one = document.body.appendChild(document.createElement(tag));
      Object.assign(one.style, { position: 'fixed', zIndex: 9, top: 0, whiteSpace: 'nowrap', ...style });
      one.textContent = words;
    };
    put('button', 'over the edge', { left: '-20px' });
    put('button', 'too long for it', { left: '300px', width: '20px', overflow: 'hidden' });
    put('button', 'below another', { left: '500px' });
    put('p', 'above it', { left: '480px', width: '200px', height: '60px' });
    put('p', 'a path in a decision', { left: '700px', width: '30px', overflow: 'hidden', textOverflow: 'ellipsis' });
    put('p', 'wide', { position: 'absolute', left: 0, width: '2000px', pointerEvents: 'none' });
  });
  assert.deepEqual((await layoutFaults(page)).sort(), [
    'button. "below another" is covered by p. "above it"',
    'button. "over the edge" is cut',
    'button. "too long for it" is cut',
    'p. "a path in a decision" ends in dots',
    'the page is 2000 wide',
  ]);
});
