// Takes the pictures of the README: the card that the demo comes to, in the window as it
// stands on the screen, in both themes. Folders have fixed names and the picture is taken
// while the card is new, so that it changes with little but what it shows.
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTask, openDemo, trust } from '../../frontend/e2e/window/demo.mjs';
import { writePicture } from '../../frontend/e2e/window/screen.mjs';
import { still } from '../../frontend/e2e/window/harness.mjs';
import { repository, until } from '../../frontend/e2e/harness.mjs';

const themes = { light: 'Adwaita', dark: 'Adwaita:dark' };
const cleanups = [];
const t = { after: (f) => cleanups.unshift(f) };

async function card(theme) {
  const folder = join(tmpdir(), 'countersign-screenshots');
  // Fails where one is left or another run is on: nothing of others is removed.
  await mkdir(folder, { mode: 0o700 });
  t.after(() => rm(folder, { recursive: true, force: true }));
  const at = { user: join(folder, 'user'), home: join(folder, 'user', '.countersign'), workspace: join(folder, 'corner-shop') };
  await mkdir(at.user);
  await mkdir(at.workspace);
  const window = await openDemo(t, { at, env: { GTK_THEME: themes[theme] } });
  await giveTask(window.page);
  await trust(window.page);
  const article = await window.page.one('article', 'Approval');
  await window.page.one('region', /^Change of .*cart\.ts/, article);
  await window.page.matches('[data-guard="open"]');
  await window.page.says(/corner-shop: trusted\./);
  // The worker that colours code has its own pace.
  await until(() => window.page.run(() => document.querySelector('.diff code .k') !== null), 'code has colours', 60_000);
  await writePicture(join(repository, 'build', 'screenshots', `card-${theme}.png`), await still(window), { small: true });
  await window.stop();
}

for (const theme of Object.keys(themes)) {
  try {
    await card(theme);
  } finally {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  }
}
