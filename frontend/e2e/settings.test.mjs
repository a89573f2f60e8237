// The catalog and the settings before a real desk: what is switched there holds for the
// next call of an agent, is kept in config.json, and is there again after a restart.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import {
  axe,
  inEach,
  looks,
  openCard,
  openDesk,
  place,
  screenshot,
  showView,
  sizes,
  startBrowser,
  startDesk,
  trust,
  until,
} from './harness.mjs';

const browser = await startBrowser({ after });

/** A desk with settings of its own. */
async function deskWith(t, config) {
  const at = await place(t);
  if (config) {
    await mkdir(at.home, { mode: 0o700 });
    await writeFile(join(at.home, 'config.json'), JSON.stringify(config));
  }
  return startDesk(t, at);
}

const settingsOf = async (desk) => JSON.parse(await readFile(join(desk.home, 'config.json'), 'utf8'));
const kept = (desk, key, value) =>
  until(async () => JSON.stringify((await settingsOf(desk))[key]) === JSON.stringify(value), `${key} is kept`);
const choice = (page, group, name) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: new RegExp(`^${name}`) });

test('what is switched holds for the next call, and is there after a restart', async (t) => {
  const desk = await deskWith(t, { later: { a: 1.5 }, toolSets: ['coding', 'exact', 'demo'] });
  let { page, errors, close } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const offered = async () => (await agent.ask('tools/list', {})).result.tools.map((tool) => tool.name);
  assert.ok((await offered()).includes('math_calculate'));

  // A set that goes off is off for the next call, and its tools say so.
  await showView(page, /^Tools/);
  const exact = page.getByRole('switch', { name: 'Offer the tools of exact' });
  await exact.focus();
  await page.keyboard.press('Space');
  await kept(desk, 'toolSets', ['coding', 'demo']);
  await page
    .getByRole('button', { name: /^math\.calculate/ })
    .getByText('Off')
    .waitFor();
  assert.equal(await exact.getAttribute('aria-checked'), 'false');
  assert.ok(!(await offered()).includes('math_calculate'));
  const refused = await agent.call('math_calculate', { expression: '1+1' });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /reason_code: tool\.not_enabled/);
  await exact.click();
  await kept(desk, 'toolSets', ['coding', 'demo', 'exact']);
  await agent.call('math_calculate', { expression: '1+1' });
  // The refused call and the one that ran are counted once the view has gathered them.
  await page.getByRole('button', { name: /^math\.calculate.* [12] calls$/ }).waitFor();

  // The keyboard goes through the tools, into one, to its exact schema, and out again.
  await page.keyboard.press('/');
  await page.keyboard.type('external');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('i');
  const detail = page.getByRole('complementary', { name: /^Tool / });
  await detail.getByText('"additionalProperties": false').waitFor();
  await page.keyboard.press('i');
  await detail.getByRole('table').waitFor();
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });

  // The arrows only go to a preset: nothing is loosened on the way to another.
  await showView(page, /^Settings/);
  await choice(page, 'Preset', 'Default').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal((await settingsOf(desk)).preset, undefined);
  await page.keyboard.press('Space');
  await kept(desk, 'preset', 'review');
  await choice(page, 'Profile', 'Strict').click();
  await kept(desk, 'profile', 'strict');
  await page
    .getByRole('row', { name: /^Review/ })
    .getByText('Deny')
    .first()
    .waitFor();
  await choice(page, 'Theme', 'Dark').click();
  await kept(desk, 'theme', 'dark');
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
  await choice(page, 'Read-only lock', 'On').click();
  await kept(desk, 'readOnly', true);
  const locked = await agent.call('write', { file_path: 'a.txt', content: 'x' });
  assert.match(locked.content[0].text, /reason_code: policy\.read_only/);

  // A value that is none is told in the words of the file's own reader, and nothing changes.
  const host = page.getByRole('textbox', { name: 'Host to add' });
  await host.fill('https://api.example.com/');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('must be a list of host names').waitFor();
  assert.equal((await settingsOf(desk)).allowedDomains, undefined);
  await host.fill('api.example.com');
  await page.keyboard.press('Enter');
  await kept(desk, 'allowedDomains', ['api.example.com']);
  const hold = page.getByRole('textbox', { name: 'Value of maxHoldSeconds' });
  await hold.fill('86401');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('from 0 to 86400').waitFor();
  await hold.fill('90');
  await page.keyboard.press('Enter');
  await kept(desk, 'maxHoldSeconds', 90);
  assert.deepEqual(errors, []);
  await close();
  await agent.quit();
  await desk.stop();

  const again = { ...desk, ...(await startDesk(t, desk)) };
  ({ page, errors } = await openDesk(t, browser, again));
  await showView(page, /^Settings/);
  for (const [group, name] of [
    ['Preset', 'Review'],
    ['Profile', 'Strict'],
    ['Read-only lock', 'On'],
    ['Theme', 'Dark'],
  ]) {
    assert.equal(await choice(page, group, name).getAttribute('aria-checked'), 'true', group);
  }
  assert.equal(await page.getByRole('textbox', { name: 'Value of maxHoldSeconds' }).inputValue(), '90');
  await page.getByRole('button', { name: 'Remove api.example.com' }).waitFor();
  await page.getByText('keys that this version does not know').waitFor();

  // Back to a default takes the key out of the file and touches no other.
  await page.getByRole('button', { name: 'Back to the default of Longest hold' }).click();
  await kept(again, 'maxHoldSeconds', undefined);
  assert.deepEqual(await settingsOf(again), {
    later: { a: 1.5 },
    toolSets: ['coding', 'demo', 'exact'],
    preset: 'review',
    profile: 'strict',
    theme: 'dark',
    readOnly: true,
    allowedDomains: ['api.example.com'],
  });
  assert.deepEqual(errors, []);
});

test('an answer about a folder is forgotten, and the question comes again', async (t) => {
  const desk = await deskWith(t);
  const { page, errors } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const call = agent.call('write', { file_path: 'a.txt', content: 'x' });
  await showView(page, /^Approvals/);
  await page.getByRole('option').filter({ hasText: 'Trust this folder?' }).click();
  const question = page.getByRole('article', { name: 'Trust question' });
  await question.locator('[data-guard="open"]').waitFor();
  await question.getByRole('button', { name: 'No', exact: true }).click();
  assert.match((await call).content[0].text, /reason_code: policy\.workspace_untrusted/);

  await showView(page, /^Settings/);
  const forget = page.getByRole('button', { name: `Forget the answer for ${desk.workspace}` });
  await forget.click();
  await forget.waitFor({ state: 'detached' });
  const second = agent.call('write', { file_path: 'a.txt', content: 'y' });
  await showView(page, /^Approvals/);
  await question.waitFor();
  await question.locator('[data-guard="open"]').waitFor();
  await question.getByRole('button', { name: 'No', exact: true }).click();
  assert.equal((await second).isError, true);
  assert.deepEqual(errors, []);
});

test('a settings file that was broken by hand is said and kept, and one that was mended is taken', async (t) => {
  const desk = await deskWith(t, { preset: 'edit' });
  const { page } = await openDesk(t, browser, desk);
  const file = join(desk.home, 'config.json');
  await showView(page, /^Settings/);
  await choice(page, 'Preset', 'Edit').waitFor();

  await writeFile(file, '{"preset":"auto"}');
  await choice(page, 'Theme', 'Light').click();
  await page.getByRole('alert').getByText('Nothing was changed').waitFor();
  assert.equal(await readFile(file, 'utf8'), '{"preset":"auto"}');
  assert.equal(await choice(page, 'Preset', 'Edit').getAttribute('aria-checked'), 'true');
  for (const size of Object.keys(sizes)) {
    await page.setViewportSize(sizes[size]);
    await screenshot(page, 'settings-broken', 'light', size);
    assert.deepEqual(await axe(page), [], `broken, ${size}`);
  }

  await page.getByRole('button', { name: 'Read again' }).click();
  await page.getByRole('alert').getByText('config.json cannot be used as it is now').waitFor();
  await writeFile(file, '{"preset":"full","theme":"light"}');
  await page.getByRole('button', { name: 'Read again' }).click();
  await page.getByText('was changed by hand and is not in force yet').waitFor();
  // A change takes what was written by hand along.
  await choice(page, 'Theme', 'Dark').click();
  await kept(desk, 'theme', 'dark');
  await page.getByRole('radio', { name: /^Full/, checked: true }).waitFor();
  await page.getByText('was changed by hand').waitFor({ state: 'detached' });
});

test('a grant of a card is listed, counts its use, is revoked, and the next call asks again', async (t) => {
  const desk = await deskWith(t);
  const { page, errors } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const echo = () => agent.call('bash', { command: 'echo one two' });
  const first = echo();
  await trust(page);
  await openCard(page, 'echo one two');
  await page.keyboard.press('s');
  await page
    .getByRole('region', { name: 'Allow for this session' })
    .getByText('bash echo one two', { exact: true })
    .waitFor();
  await page.locator('[data-guard="open"]').waitFor();
  await page.keyboard.press('Control+Enter');
  assert.notEqual((await first).isError, true);

  await showView(page, /^Settings/);
  const nav = page.getByRole('navigation', { name: 'Settings' });
  await nav.getByRole('link', { name: /^Grants/ }).click();
  const given = page.getByRole('region', { name: 'For one session' });
  await given
    .getByRole('row', { name: /Runs exactly echo one two/ })
    .getByText('Never')
    .waitFor();
  // The list follows a use while it is looked at.
  assert.notEqual((await echo()).isError, true);
  await given.getByText('1 time').waitFor();
  await looks(page, 'settings-ledger');
  await page.getByRole('textbox', { name: 'Filter grants' }).fill('nothing like it');
  await given.getByText('None of 1 has these words.').waitFor();
  await page.keyboard.press('Escape');

  // The call that it was given at is one link away.
  await given.getByRole('link', { name: /^The call/ }).click();
  await page.getByRole('main', { name: 'History' }).getByText('by you').first().waitFor();
  await page.goBack();

  await given.getByRole('button', { name: /^Revoke…/ }).click();
  await looks(page, 'settings-ledger-ask');
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await given.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show grants that ended' }).click();
  await page.getByText('You took it back.').waitFor();
  const again = echo();
  await openCard(page, 'echo one two');
  await page.keyboard.press('x');
  assert.equal((await again).isError, true);
  assert.deepEqual(errors, []);
});

test('a path is tried against the rules, and a change of the preset says what it let through', async (t) => {
  const desk = await deskWith(t);
  const { page, errors } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const call = agent.call('write', { file_path: 'a.txt', content: 'x' });
  await trust(page);
  await openCard(page, 'a.txt');
  await showView(page, /^Settings/);
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: /^Protected paths/ })
    .click();
  await page.getByRole('region', { name: 'Blocked' }).getByText(`${desk.home}/`, { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Try a path' }).fill('deep/.env.local');
  const trial = page.locator('#tried');
  await trial.getByText('Inside the workspace.').waitFor();
  await trial.getByText('Holds passwords or tokens.').first().waitFor();
  await looks(page, 'settings-paths-tried');

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Presets' }).click();
  await choice(page, 'Preset', 'Edit').click();
  const change = page.getByRole('region', { name: 'What the change would do' });
  await change.getByText('1 call waits now. If the change lets it run').waitFor();
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('1 waiting call was let through.').waitFor();
  await looks(page, 'settings-done');
  assert.notEqual((await call).isError, true);

  // What only tightens is saved and says what it stops from now on.
  await choice(page, 'Preset', 'Default').click();
  await kept(desk, 'preset', 'default');
  await change.getByText('Of 1 decision of the last 30 days, 1 would ask you (now: without asking).').waitFor();
  await change.getByRole('button', { name: 'Close' }).click();
  // What loosens is looked at first, from the status line too.
  await choice(page, 'Preset', 'Edit').click();
  await change.getByText('Of 1 decision of the last 30 days, 1 would run without asking (now: asked).').waitFor();
  await change.getByText('a.txt').waitFor();
  await looks(page, 'settings-rehearsal');
  await change.getByRole('button', { name: 'Cancel' }).click();
  await showView(page, /^Desk/);
  await page.getByRole('button', { name: /^Preset/ }).click();
  await page.getByRole('menuitemradio', { name: /^Edit/ }).click();
  await change.getByText('1 would run without asking (now: asked)').waitFor();
  await looks(page, 'rehearsal-short');
  // Neither what was cancelled nor what is only looked at was saved meanwhile.
  assert.equal((await settingsOf(desk)).preset, 'default');
  await change.getByRole('link', { name: 'Show these calls' }).click();
  await change.getByRole('link', { name: /^Open/ }).waitFor();
  await change.getByRole('button', { name: 'Save' }).click();
  await kept(desk, 'preset', 'edit');
  await change.waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
});

test('three calls wait while the preset is loosened and tightened, and what it lets through closes by itself', async (t) => {
  const desk = await deskWith(t);
  const { page, errors } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const first = agent.call('write', { file_path: 'a.txt', content: 'first\n' });
  await trust(page);
  await openCard(page, 'a.txt');
  const second = agent.call('write', { file_path: 'b.txt', content: 'second\n' });
  const third = agent.call('bash', { command: 'printf third > c.txt' });
  const inbox = page.getByRole('region', { name: 'Waiting calls' });
  await inbox.getByText('3 waiting', { exact: true }).waitFor();
  const file = (name) => readFile(join(desk.workspace, name), 'utf8');
  const card = await openCard(page, 'a.txt');
  const pick = async (now, name) => {
    await page.getByRole('button', { name: `Preset ${now}` }).click();
    await page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
  };

  // What only loosens runs what it covers: the open card stays to say so, the third call waits on.
  await pick('Default', 'Edit');
  const change = page.getByRole('region', { name: 'What the change would do' });
  await change.getByText('3 calls wait now.').waitFor();
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('2 waiting calls were let through and 1 still waits.').waitFor();
  for (const call of [first, second]) assert.notEqual((await call).isError, true);
  assert.equal(await file('a.txt'), 'first\n');
  assert.equal(await file('b.txt'), 'second\n');
  await inbox.getByText('1 waiting', { exact: true }).waitFor();
  await card.getByText('Preset Edit let it run.').waitFor();
  await card.getByText('This card takes no more answers.').waitFor();
  assert.equal(await card.getByRole('button', { name: /Allow once/ }).count(), 0);

  // What tightens holds from the next call on, and takes nothing from a card that waits: it can still be answered.
  await openCard(page, 'printf third');
  await pick('Edit', 'Default');
  await page.getByRole('button', { name: 'Preset Default' }).waitFor();
  const fourth = agent.call('write', { file_path: 'd.txt', content: 'fourth\n' });
  await inbox.getByText('2 waiting', { exact: true }).waitFor();
  await change.getByRole('button', { name: 'Close' }).click();
  for (const [text, call] of [
    ['printf third', third],
    ['d.txt', fourth],
  ]) {
    await openCard(page, text);
    await page.keyboard.press('x');
    assert.equal((await call).isError, true);
  }
  for (const name of ['c.txt', 'd.txt']) await assert.rejects(file(name), { code: 'ENOENT' });
  assert.deepEqual(errors, []);
});

test('tools and settings are without fault in both themes and sizes', async (t) => {
  const desk = await deskWith(t);
  const { page, errors } = await openDesk(t, browser, desk);
  await inEach(page, async (theme, size) => {
    await showView(page, /^Tools/);
    for (const tool of ['read', 'demo.external_write']) {
      await page.getByRole('button', { name: new RegExp(`^${tool}`) }).click();
      await page.getByRole('complementary', { name: `Tool ${tool}` }).waitFor();
      await screenshot(page, `catalog-${tool}`, theme, size);
      assert.deepEqual(await axe(page), [], `${tool}, ${theme}, ${size}`);
    }
    await showView(page, /^Settings/);
    for (const part of ['Presets', 'Tool sets', 'Grants', 'Protected paths', 'Notes on new files']) {
      await page
        .getByRole('navigation', { name: 'Settings' })
        .getByRole('link', { name: new RegExp(`^${part}( \\d+)?$`) })
        .click();
      await screenshot(page, `settings-${part.toLowerCase().replaceAll(' ', '-')}`, theme, size);
      assert.deepEqual(await axe(page), [], `${part}, ${theme}, ${size}`);
    }
    const clipped = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
        .filter((one) => !one.matches('.vh, .scroll, input, textarea'))
        .map((one) => `${one.tagName}.${one.className}`),
    );
    assert.deepEqual(clipped, [], `${theme}, ${size}`);
  });
  assert.deepEqual(errors, []);
});
