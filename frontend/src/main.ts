import './styles';

import { mount } from 'svelte';

import App from './App.svelte';
import { openSocketBridge } from './lib/bridge/socket';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the app');
mount(App, { target, props: { bridge: openSocketBridge() } });
