import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { before, desk, grant, pathRules, pathVerdict, settingsView } from '../../test/make';
import SettingsView from '../../views/SettingsView.svelte';
import { BridgeError } from '../bridge/bridge';
import { FakeBridge, type World } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { Catalog } from '../catalog/catalog.svelte';
import Done from './Done.svelte';
import { endWords } from './ends';
import { groupsOf } from './ledger.svelte';
import { matches } from './matching';
import { groupsWith } from './paths.svelte';
import { Settings } from './settings.svelte';

let bridge: FakeBridge;
let live: Live;

const settle = () => vi.advanceTimersByTimeAsync(400);

async function show(over: Partial<World> = {}) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    ...{ cards: [], views: [], details: [], trusts: [], tools: [] },
    settings: settingsView(),
    pathRules: pathRules(),
    pathVerdict: (path) => pathVerdict({ path: `/w/${path}` }),
    ...over,
  });
  live = new Live(bridge);
  live.start();
  await settle();
  render(SettingsView, { props: { live, settings: new Settings(live), catalog: new Catalog(live), part: 'grants' } });
  render(Done, { props: { live } });
  await settle();
}

const section = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const some = [
  grant(),
  grant({
    id: 'g2',
    life: 'session',
    verb: 'Changes',
    subject: 'a/b.go',
    isPath: true,
    key: 'write /w/a/b.go',
    usedAt: '',
  }),
  grant({ id: 'g3', state: 'resting', why: 'It rests under every other.', subject: 'go test', key: 'bash go test *' }),
  grant({ id: 'g4', state: 'dead', why: 'You took it back.', subject: 'rm', endedAt: before(60) }),
];

describe('the ledger', () => {
  it('tells workspace and session grants apart, with their key, use and state', async () => {
    await show({ grants: some });
    const workspace = section('For a workspace');
    expect(workspace.getByText('git log')).toBeTruthy();
    expect(workspace.getByText('bash git log *')).toBeTruthy();
    expect(workspace.getAllByText(/^104/).length).toBe(2);
    expect(workspace.getByText('It rests under every other.')).toBeTruthy();
    expect(workspace.getAllByRole('link', { name: /^The call/ })[0]?.getAttribute('href')).toBe('#/history/c7');
    const session = section('For one session');
    expect(session.getByText('Never')).toBeTruthy();
    expect(screen.queryByText('You took it back.')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: /^Show ?grants that ended/ }));
    expect(section('Ended in the last 30 days').getByText('You took it back.')).toBeTruthy();
    expect(section('Ended in the last 30 days').queryByRole('button', { name: /^Revoke/ })).toBeNull();
    expect(screen.getByRole('link', { name: /^Grants ?3$/ })).toBeTruthy();
  });

  it('is narrowed by words, also those of what ended, and Escape shows all again', async () => {
    await show({ grants: some });
    const field = screen.getByRole('textbox', { name: 'Filter grants' });
    await fireEvent.input(field, { target: { value: 'BACK rm' } });
    expect(screen.getByText('1 of 4')).toBeTruthy();
    expect(section('Ended in the last 30 days').getByText('rm')).toBeTruthy();
    expect(section('For a workspace').getByText('None of 2 has these words.')).toBeTruthy();
    await fireEvent.keyDown(field, { key: 'Escape' });
    expect(field).toHaveProperty('value', '');
    expect(section('For a workspace').getByText('git log')).toBeTruthy();
  });

  it('takes a grant back after a question, and Escape keeps it', async () => {
    await show({ grants: some });
    const button = () => section('For one session').getByRole('button', { name: /^Revoke… ?Changes a\/b.go/ });
    await fireEvent.click(button());
    await settle();
    const yes = screen.getByRole('button', { name: 'Revoke' });
    expect(document.activeElement).toBe(yes);
    await fireEvent.keyDown(yes, { key: 'Escape' });
    await settle();
    expect(bridge.of('revokeGrant')).toEqual([]);
    expect(document.activeElement).toBe(button());
    await fireEvent.click(button());
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
    await settle();
    expect(bridge.of('revokeGrant')).toEqual(['g2']);
    expect(screen.queryByRole('region', { name: 'For one session' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Filter grants' }));
  });

  it('says why a grant was not taken back, and keeps it listed', async () => {
    await show({ grants: some });
    await fireEvent.click(section('For one session').getByRole('button', { name: /^Revoke…/ }));
    await settle();
    bridge.refusal = new BridgeError('unavailable', 'It took too long.');
    await fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('It took too long.');
    expect(section('For one session').getByRole('button', { name: /^Revoke…/ })).toBeTruthy();
  });

  it('is read again when a grant is used, made or taken back, and not for what is printed', async () => {
    await show({ grants: some });
    const read = () => bridge.of('grants').length;
    for (const type of ['tool.call.authorized', 'approval.resolved', 'grants.changed', 'settings.changed']) {
      const was = read();
      bridge.hint(type);
      await settle();
      expect(read(), type).toBe(was + 1);
    }
    const was = read();
    bridge.hint('process.output');
    await settle();
    expect(read()).toBe(was);
  });

  it('says that it is empty, that it cannot be read, and reads again', async () => {
    await show();
    expect(screen.getByText(/Nothing was allowed ahead of time/)).toBeTruthy();
    cleanup();
    const broken = vi
      .spyOn(FakeBridge.prototype, 'grants')
      .mockRejectedValue(new BridgeError('internal', 'The log has it.'));
    await show();
    expect(screen.getByText('The log has it.')).toBeTruthy();
    broken.mockRestore();
    bridge.world.grants = some;
    await fireEvent.click(screen.getByRole('button', { name: 'Read again' }));
    await settle();
    expect(section('For a workspace').getByText('git log')).toBeTruthy();
  });

  it('shows many in steps, and the setting of the sweep beside them', async () => {
    await show({ grants: Array.from({ length: 200 }, (_, i) => grant({ id: `g${i}` })) });
    const rows = () => section('For a workspace').getAllByRole('row').length - 1;
    expect(rows()).toBe(50);
    await fireEvent.click(screen.getByRole('button', { name: 'Show more of 150' }));
    expect(rows()).toBe(200);
    const days = screen.getByRole('textbox', { name: 'Value of unusedGrantDays' });
    await fireEvent.input(days, { target: { value: '7' } });
    await fireEvent.submit(days.closest('form') as HTMLFormElement);
    await settle();
    expect(bridge.of('setSetting')).toEqual([{ key: 'unusedGrantDays', value: '7' }]);
  });

  it('says when each ends', () => {
    const now = Date.parse('2026-11-30T12:00:00Z');
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
    const ends = (over: Parameters<typeof grant>[0]) => endWords(grant({ sweptAt: '', ...over }), now).words;
    expect(ends({})).toBe('Ends when you revoke it');
    expect(ends({ life: 'session' })).toBe('Ends with its session');
    expect(ends({ sweptAt: at(48) })).toBe('Ends in 2 d, unless used');
    expect(ends({ expiresAt: at(5), sweptAt: at(48) })).toBe('Expires in 5 h');
    expect(ends({ expiresAt: at(72), sweptAt: at(48) })).toBe('Ends in 2 d, unless used');
    expect(ends({ state: 'dead', endedAt: at(-2) })).toBe('Ended 2 h ago');
    expect(ends({ state: 'dead', expiresAt: at(-2) })).toBe('Ended 2 h ago');
    expect(ends({ state: 'dead' })).toBe('Never counts again');
  });

  it('finds by every word, in any order', () => {
    expect(matches('Log  git', ['git log'])).toBe(true);
    expect(matches('git push', ['git log'])).toBe(false);
    expect(matches('', [])).toBe(true);
    expect(groupsOf(some, 'go').map((one) => one.rows.length)).toEqual([1, 1, 0]);
  });
});

describe('protected paths', () => {
  it('are listed by what they are held to, and narrowed by words or pattern', async () => {
    await show();
    expect(screen.getByRole('link', { name: /^Protected paths ?5$/ })).toBeTruthy();
    expect(section('Secrets').getByText('.ssh/')).toBeTruthy();
    await fireEvent.input(screen.getByRole('textbox', { name: 'Filter paths' }), { target: { value: 'macos' } });
    expect(screen.queryByRole('region', { name: 'Secrets' })).toBeNull();
    expect(section('Protected from writing').getByText('/etc/')).toBeTruthy();
    expect(groupsWith(pathRules().groups, 'private id_rsa')[0]?.rows[0]?.patterns.map((one) => one.id)).toEqual([
      'id-rsa',
    ]);
    await fireEvent.input(screen.getByRole('textbox', { name: 'Filter paths' }), { target: { value: 'nowhere' } });
    expect(screen.getByText(/No pattern has these words/)).toBeTruthy();
  });

  it('are tried by what is in the field last', async () => {
    await show();
    const field = screen.getByRole('textbox', { name: 'Try a path' });
    await fireEvent.input(field, { target: { value: 'a' } });
    await fireEvent.input(field, { target: { value: 'ab' } });
    await settle();
    expect(bridge.of('tryPath')).toEqual(['ab']);
    expect(screen.getByText('Inside the workspace.')).toBeTruthy();
    expect(screen.getAllByText(/ Holds passwords or tokens\./).length).toBe(2);
    bridge.hint('settings.changed');
    await settle();
    expect(bridge.of('tryPath')).toEqual(['ab', 'ab']);
    await fireEvent.input(field, { target: { value: '' } });
    await settle();
    expect(screen.queryByText('Inside the workspace.')).toBeNull();
    bridge.world.pathVerdict = () => {
      throw new BridgeError('invalid', 'It is no path.');
    };
    await fireEvent.input(field, { target: { value: 'x' } });
    await settle();
    expect(screen.getByText('It is no path.')).toBeTruthy();
  });
});

describe('a change', () => {
  it('tells what it did to the calls that waited, for a while or until it is closed', async () => {
    await show();
    bridge.effect = { allowed: 2, denied: 1, words: '2 waiting calls were let through and 1 was denied.' };
    await fireEvent.click(screen.getByRole('radio', { name: /^Edit/ }));
    await settle();
    expect(screen.getByText(bridge.effect.words)).toBeTruthy();
    bridge.effect = { allowed: 0, denied: 0, words: '' };
    await fireEvent.click(screen.getByRole('radio', { name: /^Dark/ }));
    await settle();
    expect(screen.getByText(/^2 waiting calls/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/^2 waiting calls/)).toBeNull();
    live.did({ allowed: 1, denied: 0, words: '1 waiting call was let through.' });
    await settle();
    expect(screen.getByText(/^1 waiting call/)).toBeTruthy();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(screen.queryByText(/^1 waiting call/)).toBeNull();
  });
});
