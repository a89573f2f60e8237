import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { before, desk, settingsView, toolSet } from '../../test/make';
import SettingsView from '../../views/SettingsView.svelte';
import StatusLine from '../../views/StatusLine.svelte';
import { BridgeError } from '../bridge/bridge';
import type { FlipRow, Rehearsal as Step } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { Catalog } from '../catalog/catalog.svelte';
import { groupsOf, opens } from './rehearsal.svelte';
import { Settings } from './settings.svelte';

let bridge: FakeBridge;
let settings: Settings;

const flip = (over: Partial<FlipRow> = {}): FlipRow => ({
  callId: 'i1',
  toolId: 'bash',
  subject: 'npm test',
  subjectLeft: 0,
  marker: '',
  at: before(60),
  now: 'ask',
  would: 'allow',
  then: 'You allowed it',
  ...over,
});

const step = (over: Partial<Step> = {}): Partial<Step> => ({ loosens: true, total: 412, looked: 412, ...over });

async function begin(rehearsals: Record<string, Partial<Step> | BridgeError>) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    cards: [],
    views: [],
    details: [],
    trusts: [],
    tools: [toolSet()],
    settings: settingsView(),
    rehearsals,
  });
  const live = new Live(bridge);
  live.start();
  await settle();
  settings = new Settings(live);
  return live;
}

async function show(rehearsals: Record<string, Partial<Step> | BridgeError>) {
  const live = await begin(rehearsals);
  render(SettingsView, { props: { live, settings, catalog: new Catalog(live), part: '' } });
  await settle();
}

const settle = () => vi.advanceTimersByTimeAsync(50);
const saves = () => bridge.of('setRules');
const pane = () => within(screen.getByRole('region', { name: 'What the change would do' }));
const gone = () => expect(screen.queryByRole('region', { name: 'What the change would do' })).toBeNull();

async function pick(preset: string) {
  await fireEvent.click(screen.getByRole('radio', { name: new RegExp(`^${preset}`) }));
  await settle();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the calls that a change would decide otherwise', () => {
  it('are told by what would become of them, what is opened first, and by their tool', () => {
    const rows = [
      flip({ callId: '1', now: 'ask', would: 'deny' }),
      flip({ callId: '2', now: 'ask', would: 'deny' }),
      flip({ callId: '3' }),
      flip({ callId: '4', toolId: 'write' }),
      flip({ callId: '5', toolId: 'write' }),
    ];
    expect(
      groupsOf(rows).map(({ now, would, tools }) => [now, would, tools.map((t) => [t.toolId, t.rows.length])]),
    ).toEqual([
      [
        'ask',
        'allow',
        [
          ['write', 2],
          ['bash', 1],
        ],
      ],
      ['ask', 'deny', [['bash', 2]]],
    ]);
  });

  it('are opened by whatever stops them less', () => {
    const verdicts = ['allow', 'review', 'ask', 'deny', 'new'];
    const all = verdicts.flatMap((now) => verdicts.map((would) => ({ now, would })));
    expect(all.filter(opens).map(({ now, would }) => `${now} ${would}`)).toEqual([
      'review allow',
      'ask allow',
      'ask review',
      'deny allow',
      'deny review',
      'deny ask',
      'new allow',
      'new review',
      'new ask',
      'new deny',
    ]);
  });

  it('are looked at before a loosening is saved', async () => {
    await show({
      '': step({ looked: 100, next: 'n1', flips: [flip()] }),
      n1: step({
        flips: [flip({ callId: 'i2', toolId: 'write', subject: 'a.txt', then: 'You denied it' })],
        unjudged: [{ words: 'their tool is not there any more', count: 3 }],
      }),
    });
    await pick('Edit');
    expect(saves()).toEqual([]);
    expect(pane().getByRole('status').textContent).toBe(
      'Of 412 decisions of the last 30 days, 2 would run without asking (now: asked).',
    );
    expect(pane().getByText('3 cannot be judged any more: 3 since their tool is not there any more.')).toBeTruthy();
    expect(pane().getByText('You denied it')).toBeTruthy();
    expect(
      pane()
        .getAllByRole('link', { name: /^Open/ })
        .map((one) => one.getAttribute('href')),
    ).toEqual(['#/history/i1', '#/history/i2']);
    await fireEvent.click(pane().getByRole('button', { name: 'Save' }));
    await settle();
    expect(saves()).toEqual([{ preset: 'edit', catalog: '', profile: '', readOnly: '', theme: '' }]);
    gone();
  });

  it('hide what they hid on their cards', async () => {
    const marker = '[redacted:51a3]';
    await show({ '': step({ flips: [flip({ subject: `login ${marker}`, marker })] }) });
    await pick('Edit');
    const line = pane().getByRole('listitem');
    expect(line.querySelector('.hid')?.textContent).toBe('[redacted]');
    expect(line.textContent).not.toContain('51a3');
  });

  it('cannot be passed over while they are read, and reading can be stopped', async () => {
    await begin({});
    let answer: (step: Partial<Step>) => void = () => {};
    const none = { loosens: true, total: 412, capped: false, looked: 100, next: 'n1', flips: [], unjudged: [] };
    bridge.rehearse = () => new Promise((done) => (answer = (over) => done({ ...none, ...over })));
    render(SettingsView, { props: { live: settings.live, settings, catalog: new Catalog(settings.live), part: '' } });
    await settle();
    await pick('Edit');
    const save = () => pane().getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save().disabled).toBe(true);
    answer({ flips: [flip()] });
    await settle();
    expect(pane().getByRole('status').textContent).toBe('Looked at 100 of 412 decisions of the last 30 days.');
    expect(save().disabled).toBe(true);
    await fireEvent.click(pane().getByRole('button', { name: 'Stop looking' }));
    answer({ looked: 200 });
    await settle();
    expect(pane().getByRole('status').textContent).toMatch(/^Of 100 of 412 decisions/);
    expect(save().disabled).toBe(false);
    await fireEvent.click(pane().getByRole('button', { name: 'Cancel' }));
    await settle();
    gone();
    expect(saves()).toEqual([]);
  });

  it('are shown after what only tightens was saved', async () => {
    await show({ '': step({ loosens: false, flips: [flip({ now: 'allow', would: 'ask' })] }) });
    await pick('Audit');
    expect(saves()).toHaveLength(1);
    expect(pane().getByRole('status').textContent).toMatch(/1 would ask you \(now: without asking\)\.$/);
    await fireEvent.click(pane().getByRole('button', { name: 'Close' }));
    gone();
  });

  it('are not said to be saved while they are not, and can be saved again', async () => {
    await show({ '': step({ loosens: false, flips: [flip({ now: 'allow', would: 'ask' })] }) });
    let fail: (cause: unknown) => void = () => {};
    const setRules = bridge.setRules.bind(bridge);
    bridge.setRules = () => new Promise((_, reject) => (fail = reject));
    await pick('Audit');
    expect(pane().getByRole('heading', { level: 3 }).textContent).toBe('Saving: Preset to Audit');
    fail(new BridgeError('storage', 'The settings could not be saved.'));
    await settle();
    expect(pane().getByRole('heading', { level: 3 }).textContent).toBe('Change: Preset to Audit');
    expect(screen.getByText('The settings could not be saved.')).toBeTruthy();
    bridge.setRules = setRules;
    await fireEvent.click(pane().getByRole('button', { name: 'Save' }));
    await settle();
    expect(saves()).toHaveLength(1);
    gone();
  });

  it('that loosen and could not be saved stay to be saved again', async () => {
    await show({ '': step({ flips: [flip()] }) });
    const setRules = bridge.setRules.bind(bridge);
    bridge.setRules = () => Promise.reject(new BridgeError('storage', 'The settings could not be saved.'));
    await pick('Edit');
    await fireEvent.click(pane().getByRole('button', { name: 'Save' }));
    await settle();
    expect(screen.getByText('The settings could not be saved.')).toBeTruthy();
    expect(pane().getByRole('heading', { level: 3 }).textContent).toBe('Change: Preset to Edit');
    bridge.setRules = setRules;
    await fireEvent.click(pane().getByRole('button', { name: 'Save' }));
    await settle();
    expect(saves()).toHaveLength(1);
    gone();
  });

  it('that are none need no look', async () => {
    await show({ '': step() });
    await pick('Edit');
    expect(saves()).toHaveLength(1);
    gone();
  });

  it('that are more than are looked at, or cannot be judged, do', async () => {
    await show({ '': step({ capped: true, total: 2000 }) });
    await pick('Edit');
    expect(saves()).toEqual([]);
    expect(pane().getByRole('status').textContent).toBe(
      'Of the latest 2,000 decisions of the last 30 days, none would be decided otherwise.',
    );
  });

  it('keep a loosening from being saved when they cannot be read, and never a tightening', async () => {
    const broken = new BridgeError('storage', 'The store cannot be read.');
    await show({ '': broken });
    await pick('Full');
    expect(saves()).toEqual([]);
    expect(pane().getByText('The store cannot be read.')).toBeTruthy();
    expect(pane().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    await fireEvent.click(pane().getByRole('button', { name: 'Cancel' }));
    await fireEvent.click(
      within(screen.getByRole('radiogroup', { name: 'Read-only lock' })).getByRole('radio', { name: /^On/ }),
    );
    await settle();
    expect(saves()).toHaveLength(1);
  });

  it('are told in a sentence where a change was begun elsewhere', async () => {
    const live = await begin({ '': step({ flips: [flip()] }) });
    render(StatusLine, { props: { live, settings, oncommands: () => {} } });
    await settle();
    void settings.set({ preset: 'full' });
    await settle();
    expect(saves()).toEqual([]);
    expect(pane().getByText('Change: Preset to Full')).toBeTruthy();
    expect(pane().getByRole('link').getAttribute('href')).toBe('#/settings/presets');
    await fireEvent.click(pane().getByRole('button', { name: 'Save' }));
    await settle();
    expect(saves()).toHaveLength(1);
    gone();
  });
});
