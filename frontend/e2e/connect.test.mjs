// The Connect view: what it gives is copied and written, and an agent that was told just
// that reaches the desk.
import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import { axe, looks, openDesk, scratch, screenshot, showView, startBrowser, startDesk, themes } from './harness.mjs';

const browser = await startBrowser({ after });

/** A desk of a person whose home is a new folder, on a workspace with a name to be quoted. */
async function quoted(t) {
  const user = await scratch(t, 'countersign-user');
  const workspace = join(await scratch(t, 'countersign-work'), `it's a "place" ü`);
  await mkdir(workspace);
  const home = join(user, 'desk home');
  return startDesk(t, { user, home, workspace, env: { HOME: user } });
}

const clientNamed = (page, name) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('an entry is copied, written after its change was seen, and connects an agent', async (t) => {
  const desk = await quoted(t);
  const { page, context, errors } = await openDesk(t, browser, desk);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await showView(page, 'Connect');
  await page.getByText('Nobody is connected.').waitFor();
  await looks(page, 'connect-fresh');
  const claude = clientNamed(page, 'Claude Code');
  await claude.getByRole('button', { name: 'Copy the entry for Claude Code' }).click();
  await claude.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const file = join(desk.workspace, '.mcp.json');
  await writeFile(file, '{ // mine\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n  }\n}\n');

  await claude.getByRole('button', { name: /^Write it for me/ }).click();
  const change = page.getByRole('region', { name: 'Change of the file' });
  await change.getByRole('button', { name: /^Write/ }).waitFor();
  assert.match(await change.innerText(), /\.mcp\.json/);
  await screenshot(page, 'connect-change', 'light', 'wide');
  assert.deepEqual(await axe(page), [], 'the change');

  // What was written meanwhile is seen before anything is written over it.
  const meanwhile = '{ // mine\n  "mcpServers": {\n    "other": { "command": "y" }, // keep\n  }\n}\n';
  await writeFile(file, meanwhile);
  await change.getByRole('button', { name: /^Write/ }).click();
  await change.getByText('Nothing was written').waitFor();
  assert.equal(await readFile(file, 'utf8'), meanwhile);
  await page.keyboard.press('Control+Enter');
  await claude.getByText('Written to').waitFor();
  await claude.getByText('Set up', { exact: true }).waitFor();

  const text = await readFile(file, 'utf8');
  const entry = JSON.parse(copied).mcpServers.countersign;
  assert.ok(text.startsWith('{ // mine\n  "mcpServers": {\n    "other": { "command": "y" }, // keep\n'), text);
  const plain = JSON.parse(text.replaceAll(/ \/\/ \w+/g, '').replaceAll(/,(\s*\})/g, '$1'));
  assert.deepEqual(plain.mcpServers.countersign, entry, 'what was written is what was copied');

  const agent = await connect(t, desk, { command: [entry.command, ...entry.args], name: 'claude-code' });
  const result = await agent.call('math_calculate', { expression: '6*7' });
  assert.match(result.content[0].text, /42/);
  const callers = page.getByRole('complementary', { name: 'Connected now' });
  await callers.getByRole('heading', { name: 'Claude Code 1.0' }).waitFor();
  await callers.getByText(`stdio, process ${agent.pid}`).waitFor();
  await callers.getByText('Nothing waiting').waitFor();
  await claude.getByText('Set up, 1 session').waitFor();
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await screenshot(page, 'connect-connected', theme, 'wide');
    assert.deepEqual(await axe(page), [], `connected, ${theme}`);
  }

  // Disconnected, the agent hears why, ends, and does not come back.
  await callers.getByRole('button', { name: 'Disconnect… Claude Code' }).click();
  assert.deepEqual(await axe(page), [], 'the question');
  await callers.getByRole('button', { name: 'Disconnect Claude Code now' }).click();
  await page.getByText('Nobody is connected.').waitFor();
  const { code } = await agent.ended;
  assert.equal(code, 1);
  assert.deepEqual(errors, []);
});

test("a person's linked file is changed where it lies, by the keyboard alone", async (t) => {
  const desk = await quoted(t);
  const kept = join(desk.user, 'dotfiles');
  await mkdir(kept);
  await mkdir(join(desk.user, '.codex'));
  await writeFile(join(kept, 'codex.toml'), '# mine\nmodel = "x"\n', { mode: 0o600 });
  await symlink('../dotfiles/codex.toml', join(desk.user, '.codex', 'config.toml'));
  const { page, errors } = await openDesk(t, browser, desk);
  await page.keyboard.press('Control+6');
  const codex = clientNamed(page, 'Codex');
  await codex.waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('d');
  const change = page.getByRole('region', { name: 'Change of the file' });
  await change.getByText(/^The file is a link\./).waitFor();
  assert.match(await change.innerText(), /dotfiles/);
  await page.keyboard.press('Escape');
  await change.waitFor({ state: 'detached' });
  assert.equal(await readFile(join(kept, 'codex.toml'), 'utf8'), '# mine\nmodel = "x"\n');
  await page.keyboard.press('d');
  await change.getByRole('button', { name: /^Write/ }).waitFor();
  await page.keyboard.press('Control+Enter');
  await codex.getByText('Written to').waitFor();

  assert.equal(await readlink(join(desk.user, '.codex', 'config.toml')), '../dotfiles/codex.toml');
  assert.equal((await lstat(join(kept, 'codex.toml'))).mode & 0o777, 0o600);
  const text = await readFile(join(kept, 'codex.toml'), 'utf8');
  assert.match(
    text,
    /^# mine\nmodel = "x"\n\n\[mcp_servers\.countersign\]\ncommand = ".*countersign"\nargs = \["mcp", "--home", /,
  );
  assert.match(text, /\ntool_timeout_sec = 86400\n$/);
  assert.ok(!text.includes(basename(desk.workspace)), 'a file of the person names no workspace');
  assert.deepEqual(errors, []);
});
