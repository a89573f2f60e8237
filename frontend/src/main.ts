import './styles';

import { mount } from 'svelte';

import App from './App.svelte';
import { browserShell } from './lib/bridge/shell';
import { openSocketBridge } from './lib/bridge/socket';
import { inWindow, WailsBridge, windowShell } from './lib/bridge/wails';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the app');
const isWindow = inWindow();
const shell = isWindow ? windowShell() : browserShell();

// The window opens where it was left. Its answer is there within a frame, and is not waited
// for: a page without it is still a page.
const patienceMs = 200;
if (!location.hash) {
  const late = new Promise<string>((resolve) => setTimeout(resolve, patienceMs, ''));
  const view = await Promise.race([shell.remembered().catch(() => ''), late]);
  if (view) location.replace(`#/${view}`);
}
mount(App, { target, props: { bridge: isWindow ? new WailsBridge() : openSocketBridge(), shell } });
