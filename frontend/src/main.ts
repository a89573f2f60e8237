import './styles';

import { mount } from 'svelte';

import App from './App.svelte';
import { browserShell } from './lib/bridge/shell';
import { openSocketBridge } from './lib/bridge/socket';
import { inWindow, WailsBridge, windowShell } from './lib/bridge/wails';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the app');
const props = inWindow()
  ? { bridge: new WailsBridge(), shell: windowShell() }
  : { bridge: openSocketBridge(), shell: browserShell() };
mount(App, { target, props });
