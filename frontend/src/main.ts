import './styles';

import { mount } from 'svelte';

import App from './App.svelte';
import { browserShell } from './lib/bridge/shell';
import { openSocketBridge } from './lib/bridge/socket';
import { inWindow, WailsBridge, windowShell } from './lib/bridge/wails';
import { pieces } from './views/pieces';
import { routeOf } from './views/route';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the app');
const isWindow = inWindow();
const shell = isWindow ? windowShell() : browserShell();

// Its code comes in while the page is drawn and the desk is read.
void pieces[routeOf(location.hash).view].load();
mount(App, { target, props: { bridge: isWindow ? new WailsBridge() : openSocketBridge(), shell } });
