// Takes pictures of the page on made-up data into e2e/shots, and reports
// accessibility faults. `node e2e/stage/shots.mjs [a pattern of names] [size] [theme]`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { axe, keepPicture, shots, sizes, themes } from '../harness.mjs';
import { openPage, startBrowser } from '../harness.mjs';
import { serveStage } from './built.mjs';

const stage = [
  ['desk', 'full', '#/desk'],
  ['desk-failed', 'full', '#/desk', ['Run go test']],
  ['desk-running', 'full', '#/desk', ['Run golangci']],
  ['desk-process', 'full', '#/desk', ['Process start']],
  ['desk-absurd', 'long', '#/desk', [], 'Home'],
  ['desk-write', 'full', '#/desk', ['Write internal/dispatch/retry_backoff_policy.go']],
  ['desk-empty', 'empty', '#/desk'],
  ['desk-long', 'long', '#/desk'],
  ['approvals-command', 'full', '#/approvals/a0'],
  ['approvals-critical', 'full', '#/approvals/a2'],
  ['approvals-edit', 'full', '#/approvals/a1'],
  ['approvals-edit-scope', 'full', '#/approvals/a1', [], 's'],
  ['approvals-edit-words', 'full', '#/approvals/a1', [], 'f'],
  ['approvals-edit-exact', 'full', '#/approvals/a1', [], 'i'],
  ['approvals-edit-split', 'full', '#/approvals/a1', [], 'v'],
  ['approvals-edit-context', 'full', '#/approvals/a1', [], 'nc'],
  ['approvals-huge-split', 'long', '#/approvals/a9', [], 'v'],
  ['desk-write-split', 'full', '#/desk', ['Write internal/dispatch/retry_backoff_policy.go'], 'v'],
  ['changes-card', 'changes', '#/approvals'],
  ['changes-card-files', 'changes', '#/approvals', [], '..'],
  ['changes-card-split', 'changes', '#/approvals', [], 'v'],
  ['changes-grep', 'changes', '#/desk', ['Duration']],
  ['changes-excerpt', 'changes', '#/desk', ['Duration', 'func (w *Waits) Add']],
  ['changes-list', 'changes', '#/desk', ['Duration', 'Show the full list']],
  ['changes-gone', 'changes', '#/desk', ['Duration', 'expect(']],
  ['changes-glob', 'changes', '#/desk', ['**/*']],
  ['changes-folded', 'changes', '#/desk', ['retry_backoff']],
  ['approvals-created', 'full', '#/approvals/a3'],
  ['approvals-hiding', 'full', '#/approvals/a5'],
  ['approvals-hiding-shown', 'full', '#/approvals/a5', [], 'r'],
  ['approvals-external', 'full', '#/approvals/a4'],
  ['command-short', 'commands', '#/approvals/k1'],
  ['command-scope', 'commands', '#/approvals/k1', [], 's'],
  ['command-scope-wide', 'commands', '#/approvals/k1', ['Allow for this session', 'Wider', 'Wider', 'Wider', 'Wider']],
  ['command-tall', 'commands', '#/approvals/k2'],
  ['command-tall-end', 'commands', '#/approvals/k2', [], 'm'],
  ['command-wide', 'commands', '#/approvals/k3'],
  ['command-many', 'commands', '#/approvals/k4'],
  ['command-hidden', 'commands', '#/approvals/k5'],
  ['command-dynamic', 'commands', '#/approvals/k6'],
  ['command-unread', 'commands', '#/approvals/k7'],
  ['command-quiet', 'commands', '#/approvals/k8'],
  ['answers-changed', 'answers', '#/approvals/c1'],
  ['answers-editor', 'answers', '#/approvals/c1', [], 'e'],
  ['answers-raw', 'answers', '#/approvals/c1', ['[aria-keyshortcuts=e]', 'Raw']],
  ['answers-left', 'answers', '#/approvals/c3', [], 'nh'],
  ['answers-batch', 'answers', '#/approvals/c1', [], picked],
  ['absurd-changed', 'absurdAnswers', '#/approvals/c1'],
  ['absurd-editor', 'absurdAnswers', '#/approvals/c1', [], 'e'],
  ['absurd-batch', 'absurdAnswers', '#/approvals/c1', [], picked],
  ['approvals-trust', 'full', '#/approvals', ['Trust this folder']],
  ['approvals-empty', 'empty', '#/approvals'],
  ['approvals-long', 'long', '#/approvals/a1'],
  ['approvals-huge', 'long', '#/approvals/a9'],
  ['approvals-down', 'full&link=down', '#/approvals/a1'],
  ['odd-newline', 'odd', '#/approvals/o0'],
  ['odd-bidi', 'odd', '#/approvals/o1'],
  ['odd-spaces', 'odd', '#/approvals/o2'],
  ['odd-tilde', 'odd', '#/approvals/o3'],
  ['odd-ended', 'odd', '#/approvals/oe'],
  ['odd-trust', 'odd', '#/approvals', ['Trust this folder']],
  ['odd-down', 'odd&link=down', '#/approvals/o3'],
  ['odd-desk', 'odd', '#/desk', ['b.ts', 'Decision']],
  ['tools', 'full', '#/tools'],
  ['tools-open', 'full', '#/tools', ['write']],
  ['tools-nested', 'full', '#/tools', ['demo.external_write']],
  ['tools-exact', 'full', '#/tools', ['demo.external_write'], 'i'],
  ['tools-set', 'full', '#/tools', ['deploy']],
  ['tools-try', 'full', '#/tools', ['deploy'], tryIt],
  ['tools-drift', 'full', '#/tools', ['Look at the change']],
  ['tools-empty', 'empty', '#/tools'],
  ['tools-long', 'long', '#/tools', ['supercali']],
  ['output', 'full', '#/desk', ['Run go test', 'Open the full output'], 'uk'],
  ['output-search', 'full', '#/desk', ['Run go test', 'Open the full output'], 'u/worker-2'],
  ['output-long', 'outputs', '#/desk', ['make long', 'Open the full output']],
  ['output-flat', 'outputs', '#/desk', ['make long', 'Open the full output', 'Wrap']],
  ['output-gone', 'outputs', '#/desk', ['make gone', 'Open the full output']],
  ['output-lost', 'outputs', '#/desk', ['make lost', 'Open the full output']],
  ['output-empty', 'outputs', '#/desk', ['make empty', 'Open the full output']],
  ['output-hostile', 'outputs', '#/desk', ['make hostile', 'Open the full output']],
  ['output-million', 'outputs', '#/desk', ['make million', 'Open the full output'], '/of a million, word word'],
  ['image', 'images', '#/desk', ['acme_plot']],
  ['image-full', 'images', '#/desk', ['acme_plot'], 'i'],
  ['image-pixels', 'images', '#/desk', ['acme_plot'], 'iz'],
  ['images', 'images', '#/desk', ['acme_chart']],
  ['images-wide', 'images', '#/desk', ['acme_chart'], 'in'],
  ['images-tiny', 'images', '#/desk', ['acme_chart'], 'inn'],
  ['images-history', 'images', '#/history', ['acme_chart']],
  ['processes', 'full', '#/processes'],
  ['processes-ended', 'full', '#/processes', ['npm run test:watch']],
  ['processes-silent', 'full', '#/processes', ['http.server']],
  ['processes-stop', 'full', '#/processes', [], 'x'],
  ['processes-write', 'full', '#/processes', [], 'irestart the server'],
  ['processes-empty', 'empty', '#/processes'],
  ['processes-long', 'long', '#/processes'],
  ['processes-down', 'full&link=down', '#/processes'],
  ['history', 'full', '#/history'],
  ['history-search', 'full', '#/history', [], '/claimed twice'],
  ['history-menu', 'full', '#/history', ['Decision']],
  ['history-read', 'full', '#/history', ['retry_']],
  ['history-empty', 'empty', '#/history'],
  ['history-nothing', 'full', '#/history', [], '/nowhere'],
  ['history-long', 'long', '#/history'],
  ['history-long-read', 'long', '#/history', ['file_']],
  ['connect', 'full', '#/connect'],
  ['connect-change', 'full', '#/connect', ['Bring it up to date']],
  ['connect-ask', 'full', '#/connect', ['Disconnect']],
  ['connect-odd', 'odd', '#/connect'],
  ['connect-empty', 'empty', '#/connect'],
  ['settings', 'full', '#/settings'],
  ['settings-sets', 'full', '#/settings/toolSets'],
  ['settings-trust', 'full', '#/settings/trust'],
  ['settings-rest', 'full', '#/settings/resultNotes'],
  ['settings-broken', 'broken', '#/settings/toolSets'],
  ['settings-grants', 'full', '#/settings/grants'],
  ['settings-grants-ask', 'full', '#/settings/grants', ['Revoke…']],
  ['settings-paths', 'full', '#/settings/paths'],
  ['settings-long', 'long', '#/settings/grants'],
  ['settings-grants-empty', 'empty', '#/settings/grants'],
  ['settings-hooks', 'answers', '#/settings/hooks'],
  ['settings-hooks-absurd', 'absurdAnswers', '#/settings/hooks'],
  ['settings-rehearsal', 'answers', '#/settings/presets', ['Full']],
  ['settings-rehearsal-none', 'full', '#/settings/presets', ['Full']],
  ['settings-rehearsal-absurd', 'absurdAnswers', '#/settings/presets', ['Full']],
  ['settings-empty', 'empty', '#/settings/trust'],
];

/** Clicks on what says a text, or on all that a selector such as "[title=x]" finds. */
async function click(page, text) {
  const found = /^[.[]/.test(text) ? await page.locator(`${text}:visible`).all() : [page.getByText(text).first()];
  for (const one of found) await one.click({ timeout: 5_000 });
}

/** Selects all calls of the inbox of one kind, and opens the review of them. */
async function picked(page) {
  await page.getByRole('listbox').first().focus();
  for (const key of ['Space', 'Control+a', 'b']) await page.keyboard.press(key);
}

/** Goes to where the open tool is tried. */
async function tryIt(page) {
  await page.getByRole('button', { name: 'Run and ask' }).scrollIntoViewIfNeeded();
}

/** Presses a key, and types what follows it. */
async function type(page, keys) {
  if (typeof keys === 'function') return keys(page);
  await page.keyboard.press(keys[0]);
  await page.keyboard.type(keys.slice(1));
  if (keys.length > 1) await page.waitForTimeout(400);
}

const wanted = process.argv[2] ?? '';
const onlySize = process.argv[3] ?? '';
const onlyTheme = process.argv[4] ?? '';
const after = [];
const t = { after: (end) => after.unshift(end) };
try {
  await mkdir(join(shots), { recursive: true });
  const address = await serveStage(t);
  const browser = await startBrowser(t);
  for (const theme of themes) {
    for (const size of Object.keys(sizes)) {
      if (!size.includes(onlySize) || !theme.includes(onlyTheme)) continue;
      for (const [name, scene, hash, clicks = [], key] of stage) {
        if (!new RegExp(wanted).test(name)) continue;
        const { page, errors, close } = await openPage(browser, address(scene, hash), { theme, size });
        await page.getByRole('navigation', { name: 'Views' }).waitFor();
        await page.waitForFunction(() => !document.querySelector('[data-guard="closed"]'));
        await page.waitForTimeout(300);
        for (const text of clicks) await click(page, text);
        if (key) await type(page, key);
        await page.waitForTimeout(250);
        await keepPicture(page, name, theme, size);
        const faults = size === 'wide' ? await axe(page) : [];
        if (faults.length || errors.length) console.log(name, theme, size, faults.join('\n'), errors.join('\n'));
        await close();
      }
    }
  }
} finally {
  for (const end of after) await end();
}
