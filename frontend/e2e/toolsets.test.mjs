// The sample tool sets before a real desk: what is put into a folder is offered, asks, runs and draws,
// and what becomes of it on disk counts only once a person saw it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import {
  allowOnce,
  looks,
  openCard,
  openDesk,
  place,
  repository,
  scratch,
  showView,
  startBrowser,
  startDesk,
  timeline,
  trust,
  until,
} from './harness.mjs';

const browser = await startBrowser({ after });
const samples = join(repository, 'build', 'samples', 'sets');

// The line of the README that builds the one in Go.
const built = join(await scratch({ after }, 'countersign-files'), 'files');
execFileSync('go', ['build', '-o', built, './build/samples/sets/files'], { cwd: repository });

const homeSets = (at) => join(at.home, 'tools');
const projectSets = (at) => join(at.workspace, '.countersign', 'tools');

/** Puts sample sets into a folder of sets. */
async function put(folder, ...names) {
  for (const name of names) {
    await cp(join(samples, name), join(folder, name), { recursive: true });
    if (name === 'files') await cp(built, join(folder, name, 'files'));
  }
}

const offered = async (agent) => (await agent.ask('tools/list', {})).result.tools.map((tool) => tool.name);
const textOf = (result) => result.content.map((block) => block.text ?? '').join('\n');
const bars = {
  bars: [
    { label: 'May', value: 3 },
    { label: 'June', value: 7.5 },
  ],
};

/** Runs a call that needs no card, and holds its image to what the set draws. */
function drew(result) {
  assert.notEqual(result.isError, true, textOf(result));
  const image = result.content.find((block) => block.type === 'image');
  assert.equal(image.mimeType, 'image/png');
  const data = Buffer.from(image.data, 'base64');
  assert.deepEqual([data.readUInt32BE(16), data.readUInt32BE(20)], [480, 240]);
  assert.match(textOf(result), /May 3, June 7\.5/);
}

const setOf = (page, name) => page.getByRole('region', { name: `Set ${name}`, exact: true });
const toolOf = (page, name) => page.getByRole('button', { name: new RegExp(`^${name}`) });

test('sets of the home are switched, asked about, ended at their limit, and draw', async (t) => {
  const at = await place(t);
  await put(homeSets(at), 'files', 'notes', 'charts');
  await writeFile(join(at.workspace, 'a.txt'), 'one\n');
  await writeFile(join(at.workspace, 'b.txt'), 'two two\n');
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const names = ['charts_bars', 'files_hash', 'files_largest', 'notes_add', 'notes_list', 'notes_wait'];
  const all = await offered(agent);
  assert.deepEqual(
    names.filter((name) => !all.includes(name)),
    [],
  );

  // Nothing is asked about a drawing, once the workspace is trusted.
  const first = agent.call('charts_bars', bars);
  await trust(page);
  drew(await first);
  await showView(page, /^Desk/);
  await timeline(page)
    .getByRole('button', { name: /charts_bars/ })
    .click();
  const image = page.getByRole('region', { name: 'Images' }).getByRole('img');
  await until(() => image.evaluate((one) => one.complete && one.naturalWidth === 480), 'the chart is drawn');

  // A set that is off is offered to nobody, and its calls are refused.
  await showView(page, /^Tools/);
  const files = page.getByRole('switch', { name: 'Offer the tools of files' });
  await looks(page, 'toolsets-home');
  await files.click();
  await until(async () => !(await offered(agent)).includes('files_hash'), 'the set is off');
  const off = await agent.call('files_hash', { paths: ['a.txt'] });
  assert.match(textOf(off), /reason_code: tool\.not_found/);
  await files.click();
  await until(async () => (await offered(agent)).includes('files_hash'), 'the set is on');

  // Each path of a list is fenced, and the program gets where it leads.
  const hashed = agent.call('files_hash', { paths: ['a.txt', 'b.txt'] });
  await allowOnce(page, 'files_hash');
  const digest = (text) => createHash('sha256').update(text).digest('hex');
  assert.equal(
    textOf(await hashed).trim(),
    `${digest('one\n')}  ${join(at.workspace, 'a.txt')}\n${digest('two two\n')}  ${join(at.workspace, 'b.txt')}`,
  );
  const largest = agent.call('files_largest', { folder: '.', most: 1 });
  await allowOnce(page, 'files_largest');
  assert.equal(textOf(await largest).trim(), `8  ${join(at.workspace, 'b.txt')}`);

  // What waits for a note that nobody writes is ended at the limit of its set.
  const waits = agent.call('notes_wait', { text: 'never' });
  await allowOnce(page, 'notes_wait');
  const ended = await waits;
  assert.equal(ended.isError, true);
  assert.match(textOf(ended), /reason_code: tool\.timeout[^]*\[Ended after 5s, the time limit of its tool set\.\]/);
  assert.deepEqual(errors, []);
});

test('a set that changed is refused until its change was looked at, and is tried through a card', async (t) => {
  const at = await place(t);
  await put(homeSets(at), 'notes');
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  const agent = await connect(t, desk);
  const kept = agent.call('notes_add', { text: 'the first' });
  await trust(page);
  await allowOnce(page, 'notes_add');
  assert.match(textOf(await kept), /There are 1 notes now/);

  await appendFile(join(homeSets(at), 'notes', 'notes'), '\necho And more.\n');
  const manifest = join(homeSets(at), 'notes', 'tools.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace('the oldest first', 'the newest last'));
  assert.match(textOf(await agent.call('notes_list', {})), /reason_code: policy\.set_changed/);
  await showView(page, /^Tools/);
  await page.getByRole('button', { name: /^Reload/ }).click();
  await page.getByRole('button', { name: 'Look at the change of notes' }).click();
  const dialog = page.getByRole('dialog', { name: 'What changed in notes' });
  await dialog.getByText('The content of the program changed.').waitFor();
  await dialog.getByText('the newest last').waitFor();
  await looks(page, 'toolsets-changed');
  assert.match(textOf(await agent.call('notes_list', {})), /reason_code: policy\.set_changed/);
  await dialog.getByRole('button', { name: /^Accept as it is now/ }).click();
  await dialog.waitFor({ state: 'detached' });

  // A try is a call like any other.
  await toolOf(page, 'notes_add').click();
  const tried = page.getByRole('region', { name: 'Try it' });
  await tried.getByRole('textbox', { name: /^text/ }).fill('the second');
  await tried.getByRole('button', { name: 'Run and ask' }).click();
  await tried.getByRole('link', { name: 'Answer' }).waitFor();
  await allowOnce(page, 'notes_add');
  await showView(page, /^Tools/);
  await tried.getByText('There are 2 notes now.').waitFor();
  await tried.getByText('And more.').waitFor();
  await looks(page, 'toolsets-tried');
  assert.equal(
    await readFile(join(at.workspace, '.countersign', 'data', 'tools', 'notes', 'notes.txt'), 'utf8'),
    'the first\nthe second\n',
  );
  assert.deepEqual(errors, []);
});

test('a set of the project hides that of the home, and inherits neither its grants nor the word of its author', async (t) => {
  const at = await place(t);
  await put(homeSets(at), 'notes', 'charts');
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  // What a set prints is text from outside, after which a session is asked about all: each call has its own.
  const call = async (name, args) => (await connect(t, desk)).call(name, args);
  const add = (text) => call('notes_add', { text });
  const first = add('one');
  await trust(page);
  await openCard(page, 'notes_add');
  await page.keyboard.press('w');
  await page.getByRole('region', { name: 'Always allow in this workspace' }).waitFor();
  await page.locator('[data-guard="open"]').waitFor();
  await page.keyboard.press('Control+Enter');
  assert.match(textOf(await first), /There are 1 notes now/);
  // The grant answers, and the word of the author.
  assert.match(textOf(await add('two')), /There are 2 notes now/);
  drew(await call('charts_bars', bars));

  await mkdir(projectSets(at), { recursive: true });
  await put(projectSets(at), 'notes', 'charts');
  await showView(page, /^Tools/);
  await page.getByRole('button', { name: /^Reload/ }).click();
  await setOf(page, 'notes, project').getByText('Hides').waitFor();
  await setOf(page, 'notes, home').getByText('The project set of the same name is used instead.').waitFor();
  const asked = add('three');
  await allowOnce(page, 'notes_add');
  assert.match(textOf(await asked), /There are 3 notes now/);
  const drawn = call('charts_bars', bars);
  await allowOnce(page, 'charts_bars');
  drew(await drawn);

  // The author of a set of the project is followed where the settings say so.
  await showView(page, /^Settings/);
  const field = page.getByRole('textbox', { name: 'Value of externalToolApproval, as JSON' });
  await field.fill('{"home": "author", "project": "author"}');
  await page.locator('form').filter({ has: field }).getByRole('button', { name: 'Save' }).click();
  await until(
    async () => /"project":\s*"author"/.test(await readFile(join(at.home, 'config.json'), 'utf8').catch(() => '')),
    'the setting is kept',
  );
  drew(await call('charts_bars', bars));
  assert.deepEqual(errors, []);
});
