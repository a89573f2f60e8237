// A command is read part by part before it is allowed, allowed for longer with a scope that was
// written by hand, and never allowed before all of it was in view. By the keyboard alone.
import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from './client.mjs';
import { axe, looks, openCard, openDesk, place, sizes, startBrowser, startDesk, trust, until } from './harness.mjs';

const browser = await startBrowser({ after });

const answerBar = (card) => card.getByRole('group', { name: 'Answer' });
const isOpen = (page) => page.locator('[data-guard="open"]').waitFor();

test('a command is read, allowed for the session as far as was written, and held until it was seen', async (t) => {
  const at = await place(t);
  await writeFile(join(at.workspace, 'a.txt'), 'one\n');
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);

  // Each command on its line, and a scope for each.
  const first = client.call('bash', { command: 'cat a.txt && echo one two | sort' });
  await trust(page);
  let card = await openCard(page, 'cat a.txt');
  const list = card.getByRole('region', { name: 'Read as' });
  assert.deepEqual(
    (await list.getByRole('listitem').locator('.text').allInnerTexts()).map((one) => one.trim()),
    ['cat a.txt', 'echo one two', 'sort'],
  );
  await list.getByRole('listitem').first().getByText('reads a.txt').waitFor();
  await page.keyboard.press('s');
  const picker = card.getByRole('region', { name: 'Allow for this session' });
  const scopes = picker.getByRole('textbox');
  assert.deepEqual(await scopes.evaluateAll((all) => all.map((one) => one.value)), [
    'cat a.txt',
    'echo one two',
    'sort',
  ]);
  await picker.getByText('No earlier call of this session to compare with.').waitFor();

  // What is too wide or says nothing of this call is refused in words, and confirms nothing.
  assert.equal(
    await picker
      .getByRole('checkbox')
      .first()
      .evaluate((one) => one === document.activeElement),
    true,
  );
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('rm *');
  await picker.getByText('This does not cover any part of the call. Start from what is offered.').waitFor();
  assert.equal(
    await answerBar(card)
      .getByRole('button', { name: /^Allow and remember/ })
      .isDisabled(),
    true,
  );
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('cat *');
  await picker.getByText('Runs commands that begin with `cat`').waitFor();
  await picker.getByText('bash cat *', { exact: true }).waitFor();
  await picker.getByText('Still asks for').first().waitFor();
  await looks(page, 'command-picker');

  // The second and third are taken wider by their buttons, without the pointer.
  for (const index of [1, 2]) {
    await picker.getByRole('button', { name: 'Wider' }).nth(index).focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press('Enter');
  }
  await picker.getByText('bash echo *', { exact: true }).waitFor();
  await isOpen(page);
  await page.keyboard.press('Control+Enter');
  assert.notEqual((await first).isError, true);
  await page.getByRole('status').filter({ hasText: 'for the rest of the session' }).waitFor();

  // What it covers runs without a card; what does more is asked, and says what.
  const second = await client.call('bash', { command: 'cat a.txt | sort && echo three' });
  assert.match(second.content[0].text, /three/);
  const third = client.call('bash', { command: 'cat ../other.txt; p\u0430th=1 echo a\u200bb' });
  card = await openCard(page, 'other.txt');
  await card.getByText('outside the workspace').first().waitFor();
  await card.getByText('2 characters are not what a reader would see:').waitFor();
  await card
    .getByRole('region', { name: 'Read as' })
    .getByText('2 characters are not what a reader would see')
    .waitFor();
  const text = card.getByRole('region', { name: 'Full command' });
  await text.getByText('U+200B zero width space', { exact: true }).waitFor();
  await text.getByText('U+0430 Cyrillic small letter a, looks like a', { exact: true }).waitFor();
  assert.equal(
    await answerBar(card)
      .getByRole('button', { name: /session/ })
      .count(),
    0,
  );
  await looks(page, 'command-hidden-real');
  await isOpen(page);
  await page.keyboard.press('x');
  assert.equal((await third).isError, true);

  // Nothing is allowed before its end was in view; a key goes there, in the smallest window too.
  const long = Array.from({ length: 400 }, (_, i) => `touch made${i}`).join('\n');
  const fourth = client.call('bash', { command: long });
  card = await openCard(page, 'touch made0');
  await card.getByText('Not seen yet: the end of the command and of the list of commands.').waitFor();
  const once = answerBar(card).getByRole('button', { name: /^Allow once/ });
  assert.equal(await once.isDisabled(), true);
  await page.keyboard.press('a');
  await page.getByRole('status').filter({ hasText: 'Press M to go there' }).waitFor();
  await looks(page, 'command-unseen', async () => {
    assert.ok(await once.isVisible());
    assert.equal(await once.isDisabled(), true);
  });
  await page.setViewportSize(sizes.small);
  for (let times = 0; times < 200 && (await once.isDisabled()); times++) {
    await page.keyboard.press('m');
    await page.waitForTimeout(30);
  }
  assert.equal(await once.isDisabled(), false);
  await isOpen(page);
  await page.keyboard.press('a');
  assert.notEqual((await fourth).isError, true);
  await access(join(at.workspace, 'made399'));
  await until(async () => (await page.getByRole('article', { name: 'Approval' }).count()) === 0, 'the card is gone');
  assert.deepEqual(errors, []);
});

test('a command is changed on its card, runs as it was shown then, and the client is told', async (t) => {
  const at = await place(t);
  const desk = await startDesk(t, at);
  const { page, errors } = await openDesk(t, browser, desk);
  const client = await connect(t, desk);

  const call = client.call('bash', { command: 'echo sent by the agent' });
  await trust(page);
  const card = await openCard(page, 'echo sent by the agent');
  await page.keyboard.press('e');
  const editor = card.getByRole('region', { name: 'Change the arguments' });
  const field = editor.getByLabel('command', { exact: true });
  await field.waitFor();
  assert.equal(await field.evaluate((one) => one === document.activeElement), true);

  // Letters that are typed here are text, and what the tool does not take is said beside its field.
  await page.keyboard.press('Control+a');
  await page.keyboard.type('echo axs');
  await editor.getByRole('button', { name: 'Add timeout_ms' }).click();
  await editor.getByRole('textbox', { name: 'timeout_ms' }).fill('0.5');
  await page.keyboard.press('Control+Enter');
  await editor.getByText(/^timeout_ms must be/).waitFor();
  assert.deepEqual(await axe(page), []);
  await editor.getByRole('button', { name: 'Leave out timeout_ms' }).click();

  // What was written stays when the person goes back.
  await page.keyboard.press('Escape');
  await editor.waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  assert.equal(await field.inputValue(), 'echo axs');
  await field.focus();
  await page.keyboard.press('Control+Enter');
  const changed = card.getByRole('region', { name: 'Changed arguments' });
  await changed.getByRole('heading', { name: 'Changed by you' }).waitFor();
  assert.deepEqual(
    (await changed.getByRole('cell').allInnerTexts()).map((one) => one.trim()),
    ['command', 'echo sent by the agent', 'echo axs'],
  );
  assert.deepEqual(await axe(page), []);

  await isOpen(page);
  await page.keyboard.press('a');
  const told = (await call).content[0].text;
  assert.match(told, /^The user changed the arguments of this call before allowing it\. Changed: command\./);
  assert.match(told, /\{"command":"echo axs"\}/);
  assert.match(told, /\naxs\n?/);
  assert.doesNotMatch(told, /sent by the agent/);
  assert.deepEqual(errors, []);
});
