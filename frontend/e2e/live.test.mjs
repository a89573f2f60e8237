// The page under load: a long session, many waiting calls, a storm of hints, and a real
// pointer over what changes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import { frames } from './frames.mjs';
import { axe, nodes, openDesk, place, screenshot, startBrowser, startDesk, timeline } from './harness.mjs';
import { serveStage } from './stage/built.mjs';

const browser = await startBrowser({ after });
const at = await serveStage({ after });

/** Opens a scene of the staged page. */
const open = (t, scene, hash) => openDesk(t, browser, { url: at(scene, hash) });

/** Says what frames cost. The time is for whoever reads it; what is asserted is the work done. */
const say = (t, what, { frames, median, p95, worst }) =>
  t.diagnostic(
    `${what}: ${frames} frames, median ${median.toFixed(1)} ms, 95 of 100 under ${p95.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
  );

test('a session of 1,000 lines opens at its end, scrolls to its beginning, and holds a part of it', async (t) => {
  const { page, errors } = await open(t, 'many');
  await timeline(page).getByText('src/part_5/file_999.go').waitFor();
  assert.ok((await nodes(page)) < 8_000, `${await nodes(page)} elements`);

  const scrolled = await frames(page, () =>
    page.evaluate(async () => {
      const box = document.querySelector('.timeline');
      for (let i = 0; i < 400 && box.scrollTop + 1 > 0; i++) {
        box.scrollTop -= 120;
        await new Promise((next) => requestAnimationFrame(next));
        if (globalThis.desk.of('sessionPage').some((one) => one.cursor === '102' && one.where === 'before')) break;
      }
    }),
  );
  say(t, 'scrolling 1,000 lines', scrolled);
  await page.keyboard.press('Home');
  await timeline(page).getByText('Line 0.').waitFor();
  const read = await page.evaluate(() => globalThis.desk.of('sessionPage').length);
  assert.ok(read <= 12, `${read} pages were read`);
  assert.ok((await nodes(page)) < 8_000, `${await nodes(page)} elements`);
  await page.getByRole('button', { name: /^To the end of the session/ }).click();
  await timeline(page).getByText('src/part_5/file_999.go').waitFor();
  assert.deepEqual(errors, []);
});

test('lines that are scrolled past come without a gap, both ways', async (t) => {
  const { page, errors } = await open(t, 'many');
  await timeline(page).getByText('file_999.go').waitFor();
  const walk = (by) =>
    page.evaluate(async (step) => {
      const box = document.querySelector('.timeline');
      const seen = [];
      let still = 0;
      while (still < 30) {
        for (const line of box.querySelectorAll('.ln .path, .msg .said')) {
          const number = /(?:file_|Line )(\d+)/.exec(line.textContent)?.[1];
          const { top, bottom } = line.getBoundingClientRect();
          const view = box.getBoundingClientRect();
          if (number && bottom > view.top && top < view.bottom && !seen.includes(Number(number)))
            seen.push(Number(number));
        }
        const before = box.scrollTop;
        box.scrollTop += step;
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        still = box.scrollTop === before ? still + 1 : 0;
      }
      return seen.sort((a, b) => a - b);
    }, by);
  const all = Array.from({ length: 1_000 }, (_, i) => i);
  assert.deepEqual(await walk(-300), all, 'up');
  assert.deepEqual(await walk(300), all, 'down');
  assert.deepEqual(errors, []);
});

test('10,000 hints cost a bounded number of readings', async (t) => {
  const { page, errors } = await open(t, 'many');
  await timeline(page).getByText('file_999.go').waitFor();
  const before = await page.evaluate(() => globalThis.desk.asked.length);
  const storm = await frames(page, () =>
    page.evaluate(async () => {
      const { desk } = globalThis;
      const view = desk.world.views[0];
      const line = view.items.at(-1);
      for (let i = 0; i < 10_000; i++) {
        const id = `s${i % 400}`;
        desk.tell(view.session.id, {
          ...line,
          id,
          cursor: String(2_000 + (i % 400)),
          call: { ...line.call, id, subject: `src/storm_${i}.go` },
        });
        if (i % 50 === 49) await new Promise((next) => requestAnimationFrame(next));
      }
      await new Promise((next) => setTimeout(next, 500));
    }),
  );
  say(t, '10,000 hints', storm);
  await timeline(page).getByText('src/storm_9999.go').waitFor();
  const asked = await page.evaluate((from) => globalThis.desk.asked.slice(from).map((one) => one.method), before);
  const count = (method) => asked.filter((one) => one === method).length;
  t.diagnostic(
    `readings: ${count('snapshot')} snapshots, ${count('sessionChanges')} changes, ${count('sessionPage')} pages`,
  );
  assert.ok(asked.length < 300, `${asked.length} readings`);
  assert.ok((await nodes(page)) < 8_000, `${await nodes(page)} elements`);
  assert.deepEqual(errors, []);
});

test('a session that is read at its end stays there while old lines are let go', async (t) => {
  const { page, errors } = await open(t, 'many');
  await timeline(page).getByText('file_999.go').waitFor();
  for (let last = 40; last <= 1_600; last += 40) {
    await page.evaluate((last) => {
      const { desk } = globalThis;
      const view = desk.world.views[0];
      const line = view.items.at(-1);
      for (let i = last - 39; i <= last; i++) {
        const call = { ...line.call, id: `n${i}`, subject: `src/new_${i}.go` };
        desk.tell(view.session.id, { ...line, id: `n${i}`, cursor: String(2_000 + i), call });
      }
    }, last);
    await page.waitForFunction((last) => {
      const box = document.querySelector('.timeline');
      const below = box.scrollHeight - box.scrollTop - box.clientHeight;
      return below < 4 && [...box.querySelectorAll('.path')].some((one) => one.textContent.includes(`new_${last}.go`));
    }, last);
  }
  assert.ok((await nodes(page)) < 8_000, `${await nodes(page)} elements`);
  assert.deepEqual(errors, []);
});

test('200 waiting calls are gone through by the keyboard', async (t) => {
  const { page, errors } = await open(t, 'many', '#/approvals');
  await page.getByRole('status').filter({ hasText: '200 waiting' }).waitFor();
  await page.getByRole('article', { name: 'Approval' }).waitFor();
  const went = await frames(page, () =>
    page.evaluate(async () => {
      for (let i = 0; i < 60; i++) {
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      }
    }),
  );
  say(t, '200 waiting', went);
  await page.getByText('61 of 200').waitFor();
  assert.deepEqual(errors, []);
});

test('nothing of the card before is seen while the next one is read', async (t) => {
  const { page } = await open(t, 'many', '#/approvals');
  const allow = await page.getByRole('button', { name: /^Allow once/ }).elementHandle();
  const name = await page.getByRole('article', { name: 'Approval' }).getByText('file_0.go').first().elementHandle();
  await page.evaluate(() => void (globalThis.desk.approval = () => new Promise(() => {})));
  await page.keyboard.press(']');
  await page.getByText('Reading the card').waitFor();
  const seen = (element) =>
    element.evaluate((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      // What is inert is never hit, so it is made to be for the look.
      one.closest('.open').inert = false;
      return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  assert.deepEqual([await seen(allow), await seen(name)], [false, false]);
});

test('nothing moves under the pointer in the inbox', async (t) => {
  const { page } = await open(t, 'many', '#/approvals');
  const row = (n) => page.getByRole('option').filter({ hasText: `file_${n}.go` });
  await row(4).hover();
  const before = await row(4).boundingBox();
  await page.evaluate(() => {
    const { desk } = globalThis;
    for (const id of ['w0', 'w2']) desk.close(id, 'denied', 'deny');
    desk.world.snapshot.trust = [
      {
        root: '/w/0',
        workspace: '/w/0',
        askedBy: 'x',
        sessionId: 's1',
        createdAt: '2020-01-01T00:00:00Z',
        opens: [],
        shut: [],
        postpone: false,
        waiting: 1,
      },
    ];
    desk.hint('approval.resolved');
  });
  await page.getByRole('status').filter({ hasText: '199 waiting' }).waitFor();
  assert.deepEqual(await row(4).boundingBox(), before, 'the row stays while the pointer is over the list');
  await page.mouse.click(before.x + 20, before.y + 20);
  await page.getByRole('article', { name: 'Approval' }).getByText('src/waiting/file_4.go').first().waitFor();
  await page.mouse.move(900, 300);
  await page.waitForFunction(() => !document.querySelector('[role=option].gone'));
  assert.equal(
    await page.getByRole('option').first().getByText('Trust this folder?').count(),
    1,
    'then it takes its place',
  );
});

test('nothing moves under the pointer in the sessions and the timeline', async (t) => {
  const { page } = await open(t, 'many');
  const link = page.getByRole('link', { name: /Session 3\b/ });
  await link.hover();
  const stood = await link.boundingBox();
  await page.evaluate(() => {
    const { desk } = globalThis;
    const { sessions } = desk.world.snapshot;
    sessions.unshift({ ...sessions[1], id: 'new', title: 'A new session', updatedAt: new Date().toISOString() });
    sessions[6].updatedAt = new Date().toISOString();
    desk.hint('session.changed');
  });
  await page.getByText('1 more').waitFor();
  assert.deepEqual(await link.boundingBox(), stood);

  const last = timeline(page).getByText('file_999.go');
  await last.hover();
  await page.getByRole('link', { name: /A new session/ }).waitFor();
  const before = await last.boundingBox();
  await page.evaluate(() => {
    const { desk } = globalThis;
    const view = desk.world.views[0];
    const line = view.items.at(-1);
    for (let i = 0; i < 3; i++)
      desk.tell('s1', {
        ...line,
        id: `p${i}`,
        cursor: String(2_000 + i),
        call: { ...line.call, id: `p${i}`, subject: `new_${i}.go` },
      });
  });
  await page.getByRole('button', { name: /^3 new lines/ }).waitFor();
  assert.deepEqual(await last.boundingBox(), before, 'the line stays where it was');
  await page.mouse.move(700, 20);
  await timeline(page).getByText('new_2.go').waitFor();
  await page.waitForFunction(() => {
    const box = document.querySelector('.timeline');
    return box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
  });

  // Away from the end nothing is followed, wherever the pointer is.
  await page.waitForTimeout(400);
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -700);
  await page.waitForTimeout(400);
  await page.mouse.move(700, 20);
  const lines = () =>
    page.evaluate(() => {
      const { top, bottom } = document.querySelector('.timeline').getBoundingClientRect();
      return [...document.querySelectorAll('.ln')]
        .map((one) => [one.textContent, Math.round(one.getBoundingClientRect().top)])
        .filter(([, at]) => at > top && at < bottom - 60);
    });
  const still = await lines();
  assert.ok(still.length > 5);
  await page.evaluate(() => {
    const { desk } = globalThis;
    const line = desk.world.views[0].items.at(-1);
    desk.tell('s1', { ...line, id: 'q', cursor: '3000', call: { ...line.call, id: 'q', subject: 'late.go' } });
  });
  await page.getByRole('button', { name: /^1 new line/ }).waitFor();
  assert.deepEqual(await lines(), still);
  await page.keyboard.press('End');
  await timeline(page).getByText('late.go').waitFor();
});

test('a session is searched from the keyboard, also where it was not read', async (t) => {
  const { page, errors } = await open(t, 'many');
  await timeline(page).getByText('file_999.go').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('file_12');
  await page.getByText('1 of 10').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 of 10').waitFor();
  await timeline(page).getByText('file_128.go').waitFor();
  await page.getByText('Looked through everything that was said', { exact: false }).waitFor();
  await screenshot(page, 'find', 'light', 'wide');
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press('Escape');
  assert.equal(await page.getByText('of 10').count(), 0);
  await page.keyboard.press('End');
  await timeline(page).getByText('file_999.go').waitFor();
  assert.deepEqual(errors, []);
});

test('a real desk is followed through 1,000 calls of a client, and read back to the first', async (t) => {
  const desk = await startDesk(t, await place(t));
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);
  for (let i = 0; i < 1_000; i += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, j) => client.call('math_calculate', { expression: `${i + j} + 1` })),
    );
  }
  await timeline(page).getByText('999 + 1', { exact: true }).waitFor();
  assert.ok((await nodes(page)) < 8_000, `${await nodes(page)} elements`);
  await page.keyboard.press('Home');
  await timeline(page).getByText('0 + 1', { exact: true }).waitFor();
  assert.deepEqual(errors, []);
  await client.quit();
});
