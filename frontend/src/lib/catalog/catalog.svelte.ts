import { sentence } from '../bridge/bridge';
import type { CatalogView, Event, SetRow, ToolRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';
import { Drift } from './drift.svelte';
import { Tries } from './tries.svelte';

/** How long calls that end one after another are gathered before they are counted again. */
const gatherMs = 1_500;

/** What names a set among all. */
export type Named = Pick<SetRow, 'key' | 'source' | 'name'>;

/** The name of a built-in set, of which it is not sure that it is there. */
export const builtin = (name: string): Named => ({ key: `builtin/${name}`, source: 'builtin', name });

/** The sets with the tools that a filter leaves, by name, id, wire name and description. */
export function filtered(sets: SetRow[], filter: string): SetRow[] {
  const wanted = filter.trim().toLowerCase();
  if (!wanted) return sets;
  return sets
    .map((set) => {
      const whole = set.name.toLowerCase().includes(wanted);
      const tools = set.tools.filter((tool) =>
        [tool.id, tool.wire, tool.description].some((text) => text.toLowerCase().includes(wanted)),
      );
      return { whole, set: { ...set, tools: whole ? set.tools : tools } };
    })
    .filter(({ whole, set }) => whole || set.tools.length > 0)
    .map(({ set }) => set);
}

/** Catalog is the tools that the desk has, and which of them is open. */
export class Catalog {
  view = $state.raw<CatalogView | null>(null);
  filter = $state('');
  selected = $state('');
  /** The exact schema is shown instead of the table. */
  exact = $state(false);
  trouble = $state('');
  /** The key of the set that is being switched. */
  switching = $state('');
  /** The folders of tool sets are being looked at anew. */
  reloading = $state(false);
  /** The change of a set that is looked at. */
  drift = $state.raw<Drift | null>(null);
  sets = $derived(this.view?.sets ?? null);
  shown = $derived(filtered(this.sets ?? [], this.filter));
  open = $derived.by<{ set: SetRow; tool: ToolRow } | null>(() => {
    for (const set of this.sets ?? []) {
      const tool = set.tools.find((one) => one.id === this.selected);
      if (tool) return { set, tool };
    }
    return null;
  });
  readonly tries: Tries;

  #gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly live: Live) {
    this.tries = new Tries(live.bridge);
  }

  async read(): Promise<void> {
    this.tries.follow();
    await this.#take(() => this.live.bridge.tools());
  }

  /** Looks at the folders of tool sets anew. */
  async reload(): Promise<void> {
    if (this.reloading) return;
    this.reloading = true;
    await this.#take(() => this.live.bridge.reloadSets());
    this.reloading = false;
  }

  /** Follows what happens while the view is open; returns the function that stops it. */
  follow(): () => void {
    const stop = this.live.onEvents((events) => this.#hinted(events));
    return () => {
      stop();
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
    };
  }

  /** Turns a set on or off. What waits of a set that goes off ends. */
  async flip(set: Named, on: boolean): Promise<void> {
    this.switching = set.key;
    try {
      this.live.did(await this.live.bridge.switchSet({ source: set.source, set: set.name, on }));
      await this.read();
    } catch (cause) {
      this.trouble = sentence(cause);
    } finally {
      this.switching = '';
    }
  }

  /** Shows what became of a set since it was let in. */
  look(set: SetRow): void {
    this.drift = new Drift(this.live.bridge, set);
    void this.drift.read();
  }

  /** Lets the set that is looked at in as it is shown. */
  async accept(): Promise<void> {
    const { drift } = this;
    if (!drift || !(await drift.accept())) return;
    this.drift = null;
    await this.read();
  }

  /** Moves among the tools that are shown. */
  move(by: number): void {
    const tools = this.shown.flatMap((set) => set.tools);
    const at = tools.findIndex((tool) => tool.id === this.selected);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), tools.length - 1);
    this.selected = tools[to]?.id ?? '';
  }

  async #take(read: () => Promise<CatalogView>) {
    try {
      this.view = await read();
      this.trouble = '';
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  #hinted(events: Event[]) {
    this.tries.hinted(events);
    if (events.some(({ type }) => type === 'settings.changed' || type === 'tools.changed')) void this.read();
    else if (this.#gathering === undefined && events.some((event) => event.type.startsWith('tool.call.')))
      this.#gathering = setTimeout(() => {
        this.#gathering = undefined;
        void this.read();
      }, gatherMs);
  }
}
