import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { before, desk, settingsView, toolSet } from '../../test/make';
import SettingsView from '../../views/SettingsView.svelte';
import { BridgeError } from '../bridge/bridge';
import type { SettingsView as View } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { Catalog } from '../catalog/catalog.svelte';
import { answerOf, asksReviewer } from './answers';
import { loosens } from './choices';
import { otherSettings, sections, sectionsOf } from './sections';
import { listOf, Settings } from './settings.svelte';

let bridge: FakeBridge;

async function show(view: View = settingsView(), part = '') {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    cards: [],
    views: [],
    details: [],
    trusts: [{ root: '/home/you/src/acme', answer: 'yes', at: before(80) }],
    tools: [toolSet(), toolSet({ name: 'demo', enabled: false })],
    settings: view,
  });
  const live = new Live(bridge);
  live.start();
  await settle();
  render(SettingsView, { props: { live, settings: new Settings(live), catalog: new Catalog(live), part } });
  await settle();
}

const settle = () => vi.advanceTimersByTimeAsync(50);
const group = (name: string) => within(screen.getByRole('radiogroup', { name }));
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('what a preset gives', () => {
  it('is told by a word and a look, and what is not known as a denial', () => {
    expect(
      ['allow', 'ask', 'once', 'insist', 'restrict', 'review', 'review1', 'deny', 'new'].map(
        (one) => answerOf(one).word,
      ),
    ).toEqual(['Allow', 'Ask', 'Ask', 'Ask', 'Ask', 'Reviewer', 'Reviewer', 'Deny', 'Deny']);
    expect(asksReviewer([{ answers: ['allow', 'review1'] }])).toBe(true);
    expect(asksReviewer([{ answers: ['allow', 'ask'] }])).toBe(false);
  });

  it('stands in a table, one column a kind of call', async () => {
    await show();
    const table = within(screen.getByRole('radiogroup', { name: 'Preset' }));
    expect(table.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      expect.stringContaining('Preset'),
      'Workspace reads',
      'Workspace edits',
      'Commands',
      'Outside',
      'Network',
    ]);
    const audit = within(table.getByRole('row', { name: /^Audit/ }));
    expect(audit.getByText('Reviewer')).toBeTruthy();
    expect(screen.getByText(/No reviewer is set up/)).toBeTruthy();
  });
});

describe('the sections', () => {
  it('give every setting that has no control of its own a plain field', () => {
    const others = otherSettings(settingsView().fields);
    expect(others.map((one) => one.id)).toEqual([
      'externalTools',
      'externalToolApproval',
      'crystalTools',
      'maxHoldSeconds',
      'resultNotes',
    ]);
    const unheard = otherSettings([{ ...settingsView().fields[0]!, key: 'zoom' }]);
    expect(unheard[0]?.label).toBe('zoom');
    expect(sectionsOf(others, { trust: 2 }).map((one) => one.id)).toEqual([
      ...sections.map((one) => one.id),
      'externalTools',
      'externalToolApproval',
      'crystalTools',
      'maxHoldSeconds',
      'resultNotes',
    ]);
  });

  it('list hooks in their order, to be changed by hand alone', async () => {
    const view = settingsView();
    const value = JSON.stringify({
      beforeCall: [
        { name: 'guard', run: ['/opt/guard', '--strict'] },
        { name: 'second\u202e', run: ['hooks/second'] },
      ],
    });
    view.fields = view.fields.map((row) => (row.key === 'hooks' ? { ...row, value, given: true } : row));
    await show(view);
    const of = screen.getByRole('region', { name: 'Before a call' });
    expect(within(of).getAllByRole('listitem').length).toBe(2);
    expect(of.textContent).toMatch(/guard\s*\/opt\/guard --strict/);
    expect(of.textContent).not.toContain('\u202e');
    expect(screen.getByRole('region', { name: 'After a result' }).textContent).toMatch(/None\./);
    expect(screen.queryByRole('button', { name: /Back to the default ?of Hooks/ })).toBeNull();
    expect(within(screen.getByRole('region', { name: 'Hooks' })).queryByRole('textbox')).toBeNull();
  });

  it('turn notifications off, and let them have a sound', async () => {
    await show(settingsView());
    const of = screen.getByRole('radiogroup', { name: 'Notifications' });
    const choice = (name: RegExp) => within(of).getByRole('radio', { name });
    expect(choice(/^On/).getAttribute('aria-checked')).toBe('true');
    await fireEvent.click(choice(/^Off/));
    await settle();
    await fireEvent.click(choice(/^Sound/));
    await settle();
    expect(bridge.of('setSetting')).toEqual([
      { key: 'notifications', value: '"off"' },
      { key: 'notifications', value: '"sound"' },
    ]);
  });

  it('say where each setting lives, and whether the file names it', async () => {
    const view = settingsView();
    view.fields = view.fields.map((row) => (row.key === 'theme' ? { ...row, given: true } : row));
    await show(view);
    for (const row of view.fields) expect(screen.getAllByText(row.key).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/not set there/).length).toBe(view.fields.length - 1);
    await fireEvent.click(screen.getByRole('button', { name: /^Back to the default ?of Theme/ }));
    await settle();
    expect(bridge.of('setSetting')).toEqual([{ key: 'theme', value: '' }]);
  });

  it('are brought into view once, as the address says, and not again when a value is read again', async () => {
    const bring = vi.spyOn(Element.prototype, 'scrollIntoView');
    const brought = () => bring.mock.contexts.map((one) => (one as Element).id);
    await show(settingsView(), 'trust');
    expect(brought()).toEqual(['trust']);
    const read = vi.spyOn(bridge, 'settings').mockImplementation(async () => settingsView());
    await fireEvent.click(screen.getByRole('radio', { name: /^Dark/ }));
    await settle();
    expect(read).toHaveBeenCalled();
    expect(brought()).toEqual(['trust']);
    bring.mockRestore();
  });

  it('are gone through with j and k', async () => {
    await show();
    location.hash = '';
    await press('j');
    expect(location.hash).toBe('#/settings/catalog');
  });
});

describe('a choice', () => {
  it('is made by a click once, and by Space, not by the arrows that lead to it', async () => {
    await show();
    const radios = group('Preset').getAllByRole('radio');
    expect(radios.map((one) => one.tabIndex)).toEqual([0, -1, -1, -1, -1]);
    radios[0]!.focus();
    await press('ArrowDown');
    await press('ArrowDown');
    expect(document.activeElement).toBe(radios[2]);
    await press('ArrowUp');
    await press('ArrowUp');
    await press('ArrowUp');
    expect(document.activeElement).toBe(radios[4]);
    expect(bridge.of('setRules')).toEqual([]);
    await fireEvent.click(radios[3]!);
    await settle();
    expect(bridge.of('setRules')).toEqual([{ preset: 'audit', catalog: '', profile: '', readOnly: '', theme: '' }]);
    await fireEvent.click(radios[3]!);
    expect(bridge.of('setRules').length).toBe(1);
  });

  it('of a preset loosens by what runs without a person, not by its place in the table', () => {
    expect(loosens('preset', 'edit', 'audit')).toBe(false);
    expect(loosens('preset', 'audit', 'review')).toBe(true);
    expect(loosens('preset', 'review', 'edit')).toBe(true);
  });

  it('of a profile says which is looser', async () => {
    await show();
    expect(group('Profile').getByText(/Looser than Strict/)).toBeTruthy();
    await fireEvent.click(group('Profile').getByRole('radio', { name: /^Strict/ }));
    expect(bridge.of('setRules')).toEqual([{ preset: '', catalog: '', profile: 'strict', readOnly: '', theme: '' }]);
  });
});

describe('a value', () => {
  const range = 'This was not taken: the value of "allowedDomains" must be a list of host names. Nothing was changed.';

  it('that was refused stays in the field beside the reason', async () => {
    await show();
    const host = screen.getByRole('textbox', { name: 'Host to add' });
    await fireEvent.input(host, { target: { value: ' https://a ' } });
    bridge.refusal = new BridgeError('invalid', range, { allowedDomains: 'must be a list of host names' });
    await fireEvent.click(screen.getByRole('button', { name: 'Add host' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('must be a list of host names');
    expect(host).toHaveProperty('value', ' https://a ');
    await fireEvent.input(host, { target: { value: 'api.example.com' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Add host' }));
    await settle();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(bridge.of('setSetting').at(-1)).toEqual({ key: 'allowedDomains', value: '["api.example.com"]' });
    await fireEvent.click(screen.getByRole('button', { name: /^Remove ?api.example.com/ }));
    await settle();
    expect(bridge.of('setSetting').at(-1)).toEqual({ key: 'allowedDomains', value: '[]' });
  });

  it('that was given while another was being saved is saved after it', async () => {
    await show();
    await fireEvent.click(group('Profile').getByRole('radio', { name: /^Strict/ }));
    const host = screen.getByRole('textbox', { name: 'Host to add' });
    await fireEvent.input(host, { target: { value: 'api.example.com' } });
    await fireEvent.submit(host.closest('form') as HTMLFormElement);
    await settle();
    expect(bridge.of('setRules')).toHaveLength(1);
    expect(bridge.of('setSetting')).toEqual([{ key: 'allowedDomains', value: '["api.example.com"]' }]);
  });

  it('leaves the focus where the person went while it was saved', async () => {
    await show();
    const host = screen.getByRole('textbox', { name: 'Host to add' });
    const other = screen.getByRole('textbox', { name: 'Value of maxHoldSeconds' });
    const asked: (() => void)[] = [];
    vi.spyOn(bridge, 'setSetting').mockImplementation(
      () => new Promise((resolve) => asked.push(() => resolve(bridge.effect))),
    );
    await fireEvent.input(host, { target: { value: 'a.example' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Add host' }));
    await settle();
    expect(document.activeElement, 'ready for the next host').toBe(host);
    other.focus();
    asked.shift()?.();
    await settle();
    expect(document.activeElement).toBe(other);
  });

  it('of a list keeps what the change before it made, and what a refused one said stays', async () => {
    await show();
    const host = screen.getByRole('textbox', { name: 'Host to add' });
    const submit = () => fireEvent.submit(host.closest('form') as HTMLFormElement);
    const asked: (() => void)[] = [];
    const write = bridge.setSetting.bind(bridge);
    vi.spyOn(bridge, 'setSetting').mockImplementation(async (change) => {
      await new Promise<void>((resolve) => asked.push(resolve));
      return write(change);
    });
    await fireEvent.input(host, { target: { value: 'a.example' } });
    await submit();
    expect(host).toHaveProperty('value', '');
    await submit();
    await fireEvent.input(host, { target: { value: 'b.example' } });
    await submit();
    await settle();
    expect(asked).toHaveLength(1);
    await fireEvent.input(host, { target: { value: 'c.exa' } });
    asked.shift()?.();
    await settle();
    expect(host).toHaveProperty('value', 'c.exa');
    await fireEvent.input(host, { target: { value: '' } });
    bridge.refusal = new BridgeError('settings_unwritten', 'config.json could not be written.');
    asked.shift()?.();
    await fireEvent.click(group('Profile').getByRole('radio', { name: /^Strict/ }));
    await settle();
    expect(bridge.of('setSetting')).toEqual([
      { key: 'allowedDomains', value: '["a.example"]' },
      { key: 'allowedDomains', value: '["a.example","b.example"]' },
    ]);
    expect(bridge.of('setRules')).toHaveLength(1);
    expect(screen.getAllByRole('alert').map((one) => one.textContent)).toContainEqual(
      expect.stringContaining('config.json could not be written.'),
    );
    expect(host).toHaveProperty('value', 'b.example');
  });

  it('of a plain field is saved as JSON, and can be undone before', async () => {
    await show();
    const hold = screen.getByRole('textbox', { name: 'Value of maxHoldSeconds' });
    const section = within(screen.getByRole('region', { name: 'Longest hold' }));
    expect(section.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await fireEvent.input(hold, { target: { value: '90' } });
    await fireEvent.click(section.getByRole('button', { name: 'Undo' }));
    expect(hold).toHaveProperty('value', '0');
    await fireEvent.input(hold, { target: { value: '90' } });
    await fireEvent.click(section.getByRole('button', { name: 'Save' }));
    await settle();
    expect(bridge.of('setSetting')).toEqual([{ key: 'maxHoldSeconds', value: '90' }]);
    expect(hold).toHaveProperty('value', '90');
  });

  it('that is no list reads as an empty one', () => {
    const row = settingsView().fields[0]!;
    expect(listOf({ ...row, value: '["a",1,"b"]' })).toEqual(['a', 'b']);
    expect(listOf({ ...row, value: '{' })).toEqual([]);
    expect(listOf({ ...row, value: '"a"' })).toEqual([]);
    expect(listOf(undefined)).toEqual([]);
  });
});

describe('the file', () => {
  it('is said to be broken, changed by hand or half known', async () => {
    await show(
      settingsView({
        fault: 'it is not a JSON object',
        differs: ['catalog'],
        unknown: ['zo\u202eom'],
        unknownSets: ['codeing'],
      }),
    );
    expect(screen.getByRole('alert').textContent).toContain('it is not a JSON object');
    expect(screen.getByText(/changed by hand and is not in force yet/)).toBeTruthy();
    expect(screen.getByText('U+202E')).toBeTruthy();
    await fireEvent.click(screen.getByRole('switch', { name: 'Offer the tools of codeing' }));
    await settle();
    expect(bridge.of('switchSet')).toEqual([{ source: 'builtin', set: 'codeing', on: false }]);
  });

  it('that could not be written is told once, with what was kept', async () => {
    await show();
    bridge.refusal = new BridgeError('settings_unwritten', 'config.json could not be written. Nothing was changed.');
    await fireEvent.click(screen.getByRole('switch', { name: 'Offer the tools of demo' }));
    await settle();
    expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([
      expect.stringContaining('Nothing was changed'),
    ]);
  });
});

describe('trust', () => {
  it('is forgotten by a button that names the folder', async () => {
    await show();
    await fireEvent.click(screen.getByRole('button', { name: /^Forget ?the answer for .home.you.src.acme/ }));
    await settle();
    expect(bridge.of('forgetTrust')).toEqual(['/home/you/src/acme']);
    expect(screen.getByText(/No folder was answered for yet/)).toBeTruthy();
  });
});
