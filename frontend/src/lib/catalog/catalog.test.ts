import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { field, runs, standing, tool, toolSet } from '../../test/make';
import ToolsView from '../../views/ToolsView.svelte';
import { BridgeError } from '../bridge/bridge';
import type { SetRow } from '../bridge/dto';
import { FakeBridge } from '../bridge/fake';
import { Live } from '../bridge/live.svelte';
import { desk } from '../../test/make';
import { Catalog, filtered } from './catalog.svelte';
import SchemaTable from './SchemaTable.svelte';
import { counted, countWords, limitWords, setWords } from './words';

const exact = () =>
  toolSet({
    name: 'exact',
    words: 'Exact arithmetic.',
    calls: '1',
    tools: [
      tool({ id: 'math.calculate', wire: 'math_calculate', catalogs: ['plan', 'work'], standing: runs(), calls: '1' }),
    ],
  });

let bridge: FakeBridge;
let catalog: Catalog;

async function show(sets: SetRow[]) {
  bridge = new FakeBridge({
    snapshot: { desk: desk(), sessions: [], approvals: [], trust: [] },
    cards: [],
    views: [],
    details: [],
    trusts: [],
    tools: sets,
  });
  const live = new Live(bridge);
  catalog = new Catalog(live);
  live.start();
  render(ToolsView, { props: { catalog } });
  await vi.advanceTimersByTimeAsync(50);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const row = (name: RegExp) => screen.getByRole('button', { name });
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

describe('the words of the catalog', () => {
  it('count without losing a digit', () => {
    expect(counted('9007199254740993', 'call')).toBe('9,007,199,254,740,993 calls');
    expect(counted(1, 'tool')).toBe('1 tool');
    expect(countWords([toolSet(), toolSet({ name: 'b', enabled: false, status: 'disabled', tools: [] })])).toBe(
      '2 sets, 1 tool, 1 set off',
    );
  });

  it('say what a set that is off would offer', () => {
    expect(setWords(toolSet({ words: 'Reads.', enabled: false, tools: [tool(), tool({ id: 'b' })] }))).toBe(
      'Reads. Off: 2 tools.',
    );
    expect(setWords(toolSet({ words: '', enabled: true }))).toBe('');
  });

  it('say the limits of a call', () => {
    const one = tool();
    const limited = { ...one, class: { ...one.class, timeoutMs: '600000', maxBytes: '8388608' } };
    expect(limitWords(limited)).toBe('10 min, then stopped. 50 KB and 2,000 lines to the model, at most 8 MB in all.');
    const free = { ...one, class: { ...one.class, timeoutMs: '0', maxBytes: '0' } };
    expect(limitWords(free)).toBe('No time limit. 50 KB and 2,000 lines to the model.');
  });

  it('leave what a filter names, by set, id, wire name and description', () => {
    const sets = [toolSet(), exact()];
    expect(filtered(sets, ' EXACT ').map((set) => set.name)).toEqual(['exact']);
    expect(filtered(sets, 'math_').map((set) => set.tools.length)).toEqual([1]);
    expect(filtered(sets, 'whole file').map((set) => set.name)).toEqual(['coding', 'exact']);
    expect(filtered(sets, 'nothing of it')).toEqual([]);
  });
});

describe('the catalog', () => {
  it('switches a set and says what the switch does', async () => {
    await show([toolSet(), exact()]);
    const flip = screen.getByRole('switch', { name: 'Offer the tools of exact' });
    expect(flip.getAttribute('aria-checked')).toBe('true');
    expect(flip.title).toMatch(/agents are offered/);
    await fireEvent.click(flip);
    await vi.advanceTimersByTimeAsync(50);
    expect(bridge.of('switchSet')).toEqual([{ source: 'builtin', set: 'exact', on: false }]);
    expect(flip.getAttribute('aria-checked')).toBe('false');
    expect(screen.getByText(/Off: 1 tool/)).toBeTruthy();
  });

  it('keeps a set as it is when the change was refused, and says why', async () => {
    await show([exact()]);
    bridge.refusal = new BridgeError('settings_unwritten', 'config.json could not be written. Nothing was changed.');
    await fireEvent.click(screen.getByRole('switch'));
    await vi.advanceTimersByTimeAsync(50);
    expect(screen.getByRole('alert').textContent).toMatch(/Nothing was changed/);
    expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true');
  });

  it('tells what is declared and what is in effect', async () => {
    await show([toolSet({ tools: [tool({ standing: standing({ answer: 'insist', short: 'Asks, once only' }) })] })]);
    expect(row(/^write/).textContent?.replace(/\s+/g, ' ')).toMatch(/By preset ?in effect ?Asks, once only/);
    await fireEvent.click(row(/^write/));
    const detail = within(screen.getByRole('complementary', { name: 'Tool write' }));
    expect(detail.getByText(/Preset Default asks before every write/)).toBeTruthy();
    expect(detail.getByRole('link', { name: 'Presets' }).getAttribute('href')).toBe('#/settings/presets');
  });

  it('goes by the keyboard: to a tool, into it, to its exact schema, to the filter, and out', async () => {
    await show([toolSet(), exact()]);
    await press('j');
    await press('j');
    expect(catalog.selected).toBe('math.calculate');
    expect(row(/^math\.calculate/).getAttribute('aria-pressed')).toBe('true');
    await press('Enter');
    expect(document.activeElement?.id).toBe('about-tool');
    await press('i');
    expect(screen.getByText(/"required"/)).toBeTruthy();
    await press('i');
    expect(screen.getByRole('table')).toBeTruthy();
    await press('/');
    const filter = screen.getByRole('searchbox', { name: 'Filter tools' });
    expect(document.activeElement).toBe(filter);
    await fireEvent.input(filter, { target: { value: 'math' } });
    expect(screen.queryByRole('button', { name: /^write/ })).toBeNull();
    await press('j', filter);
    expect(catalog.selected).toBe('math.calculate');
    await press('Escape', filter);
    expect(catalog.filter).toBe('');
    expect(document.activeElement).not.toBe(filter);
    await press('Escape');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('shows hidden characters in what others named', async () => {
    await show([
      toolSet({
        name: 'a\u202eb',
        tools: [tool({ id: 'x\u200by', description: 'one\u0007two', fields: [field({ name: 'n\u2066m' })] })],
      }),
    ]);
    await fireEvent.click(screen.getAllByRole('button', { pressed: false })[0]!);
    for (const code of ['U+202E', 'U+200B', 'U+0007', 'U+2066'])
      expect(screen.getAllByText(code).length).toBeGreaterThan(0);
    expect(screen.getByRole('switch').getAttribute('aria-label')).toContain('[U+202E]');
  });

  it('counts calls again once they have ended, and reads once for many', async () => {
    await show([exact()]);
    const read = vi.spyOn(bridge, 'tools');
    bridge.world.tools = [{ ...exact(), calls: '7', tools: [{ ...exact().tools[0]!, calls: '7' }] }];
    for (let i = 0; i < 50; i++) bridge.hint('tool.call.completed');
    await vi.advanceTimersByTimeAsync(100);
    expect(read).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(read).toHaveBeenCalledTimes(1);
    expect(screen.getAllByText(/7 calls/).length).toBeGreaterThan(0);
    cleanup();
    bridge.hint('tool.call.completed');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('says when there is no tool, and when none matches', async () => {
    await show([]);
    expect(screen.getByText(/This desk has no tools/)).toBeTruthy();
    cleanup();
    await show([exact()]);
    catalog.filter = 'nothing of it';
    await waitFor(() => screen.getByText(/No tool matches/));
    await fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(row(/^math/)).toBeTruthy();
  });
});

describe('the table of a schema', () => {
  it('tells choices, limits, defaults and what is inside a field', () => {
    const fields = [
      field({
        name: 'environment',
        type: 'one of 3',
        choices: ['dev', 'staging', 'production'],
        limits: [],
        description: 'Where.',
      }),
      field({ name: 'steps', type: 'list of groups of fields', required: false, default: '[]' }),
      field({ name: 'name', depth: 1 }),
    ];
    render(SchemaTable, { props: { fields } });
    const said = screen.getAllByRole('row').map((one) => one.textContent?.replace(/\s+/g, ' ').trim());
    expect(said[1]).toContain('dev, staging or production.');
    expect(said[1]).toContain('Required.');
    expect(said[2]).toContain('Default: []');
    expect(said[2]).not.toContain('Required.');
    expect(said[3]).toContain('inside, level 1: name');
    expect(said[3]).toContain('1 to 4,096 characters');
  });

  it('says that there is nothing to give', () => {
    render(SchemaTable, { props: { fields: [] } });
    expect(screen.getByText('This tool takes no arguments.')).toBeTruthy();
  });
});

describe('a set that is not built in', () => {
  const home = (over: Partial<SetRow> = {}) =>
    toolSet({
      source: 'home',
      origin: 'home',
      name: 'acme',
      words: '',
      folder: '~/.countersign/tools/acme',
      manifest: '/home/me/.countersign/tools/acme/tools.json',
      ...over,
    });

  it('says where it lies, whose it hides and whose hides it', async () => {
    await show([
      home({ source: 'project', origin: 'project', folder: '.countersign/tools/acme', hides: 'home' }),
      home({ status: 'hidden', hiddenBy: 'project', switchable: false, tools: [] }),
    ]);
    const project = screen.getByRole('region', { name: 'Set acme, project' });
    expect(project.textContent).toContain('Hides home');
    expect(project.textContent).toContain('.countersign/tools/acme');
    const hidden = screen.getByRole('region', { name: 'Set acme, home' });
    expect(hidden.textContent).toContain('The project set of the same name is used instead.');
    expect(within(hidden).queryByRole('switch')).toBeNull();
  });

  it('is switched in its own manifest', async () => {
    await show([home(), toolSet({ name: 'acme' })]);
    await fireEvent.click(within(screen.getByRole('region', { name: 'Set acme, home' })).getByRole('switch'));
    await vi.advanceTimersByTimeAsync(50);
    expect(bridge.of('switchSet')).toEqual([{ source: 'home', set: 'acme', on: false }]);
  });

  it('tells its notes as text, the first three at once', async () => {
    const notes = [1, 2, 3, 4].map((n) => ({ field: '', text: `note <b>${n}</b>` }));
    await show([home({ status: 'skipped', switchable: false, tools: [], notes })]);
    expect(screen.getByText('note <b>3</b>')).toBeTruthy();
    expect(screen.queryByText('note <b>4</b>')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: '1 more note' }));
    expect(screen.getByText('note <b>4</b>')).toBeTruthy();
    expect(screen.getByText('1 set, 0 tools, 1 set skipped')).toBeTruthy();
  });

  it('that changed is looked at before it is let in, and is let in as it was shown', async () => {
    await show([home({ changed: true })]);
    bridge.world.drifts = {
      'home/acme': {
        fingerprint: 'f1',
        same: false,
        since: '2026-07-25T12:00:00Z',
        diffs: [],
        programs: [{ name: 'acme', wasPath: '/b/acme', nowPath: '/b/acme', wasHash: 'aaaa', nowHash: 'bbbb' }],
      },
    };
    await fireEvent.click(screen.getByRole('button', { name: 'Look at the change of acme' }));
    await vi.advanceTimersByTimeAsync(50);
    expect(
      screen.getByText('The content of the program changed. What it does now cannot be told from here.'),
    ).toBeTruthy();
    expect(bridge.of('acceptSet')).toEqual([]);

    bridge.refusal = new BridgeError('unavailable', 'The tool set changed once more meanwhile.');
    bridge.world.drifts['home/acme'] = { ...bridge.world.drifts['home/acme']!, fingerprint: 'f2' };
    await fireEvent.click(screen.getByRole('button', { name: /^Accept as it is now/, hidden: true }));
    await vi.advanceTimersByTimeAsync(50);
    expect(screen.getByText('The tool set changed once more meanwhile.')).toBeTruthy();

    bridge.refusal = null;
    await fireEvent.click(screen.getByRole('button', { name: /^Accept as it is now/, hidden: true }));
    await vi.advanceTimersByTimeAsync(50);
    expect(bridge.of('acceptSet')).toEqual([
      { source: 'home', name: 'acme', fingerprint: 'f1' },
      { source: 'home', name: 'acme', fingerprint: 'f2' },
    ]);
    expect(screen.queryByRole('button', { name: 'Look at the change of acme' })).toBeNull();
  });

  it('is found when the folders are looked at anew, which is asked for when they changed', async () => {
    await show([]);
    bridge.world.catalog = { stale: true };
    bridge.hint('tools.changed');
    await vi.advanceTimersByTimeAsync(1_000);
    bridge.world.reloaded = [home()];
    await fireEvent.click(screen.getByRole('button', { name: 'Reload, changed' }));
    await vi.advanceTimersByTimeAsync(50);
    expect(screen.getByRole('region', { name: 'Set acme, home' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });
});

describe('a tool that is tried', () => {
  const form = {
    text: '{}',
    fields: [
      { name: 'path', kind: 'text', required: true },
      { name: 'depth', kind: 'number', required: false },
    ].map((one) => ({ ...one, given: false, value: '', type: '', limits: [], description: '', choices: [] })),
  };

  async function open() {
    await show([toolSet()]);
    bridge.world.tries = { write: form };
    await fireEvent.click(row(/^write/));
    await vi.advanceTimersByTimeAsync(50);
  }

  it('is called with what was filled in, and what was not is left out', async () => {
    await open();
    await fireEvent.input(screen.getByRole('textbox', { name: 'path' }), { target: { value: 'a "b"' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Run and ask' }));
    await vi.advanceTimersByTimeAsync(50);
    expect(bridge.of('tryTool')).toEqual([{ tool: 'write', arguments: '{\n  "path": "a \\"b\\""\n}' }]);
  });

  it('is not called with a field that cannot be read', async () => {
    await open();
    await fireEvent.click(screen.getByRole('button', { name: 'Add depth' }));
    await fireEvent.input(screen.getByRole('textbox', { name: 'depth' }), { target: { value: 'seven' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Run and ask' }));
    await vi.advanceTimersByTimeAsync(50);
    expect(screen.getByText('Some fields cannot be read yet.')).toBeTruthy();
    expect(bridge.of('tryTool')).toEqual([]);
  });

  it('keeps what was written while another tool is looked at', async () => {
    await open();
    await fireEvent.input(screen.getByRole('textbox', { name: 'path' }), { target: { value: 'kept' } });
    await press('Escape');
    await fireEvent.click(row(/^write/));
    await vi.advanceTimersByTimeAsync(50);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'path' }).value).toBe('kept');
  });
});
