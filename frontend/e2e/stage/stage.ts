// Mounts the page without a desk, on made-up data, to look at it. Only the
// development server serves this; it is no part of what is built.
import '../../src/styles';

import { mount } from 'svelte';

import App from '../../src/App.svelte';
import { FakeBridge } from '../../src/lib/bridge/fake';
import { forms } from './answers';
import { scene } from './scenes';

const asked = new URL(location.href).searchParams;
const name = asked.get('scene') ?? 'full';
const bridge = new FakeBridge(scene(name));
bridge.forms = forms[name] ?? [];
if (asked.get('link') === 'down') setTimeout(() => bridge.setLink('down'), 200);

// What a test changes, as the desk would.
Object.assign(globalThis, { desk: bridge });

const target = document.getElementById('app');
if (target) mount(App, { target, props: { bridge } });
