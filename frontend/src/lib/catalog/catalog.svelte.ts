import { sentence } from '../bridge/bridge';
import type { Event, SetRow, ToolRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';

/** How long calls that end one after another are gathered before they are counted again. */
const gatherMs = 1_500;

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
      return { ...set, tools: whole ? set.tools : tools };
    })
    .filter((set) => set.tools.length > 0);
}

/** Catalog is the tools that the desk has, and which of them is open. */
export class Catalog {
  sets = $state.raw<SetRow[] | null>(null);
  filter = $state('');
  selected = $state('');
  /** The exact schema is shown instead of the table. */
  exact = $state(false);
  trouble = $state('');
  /** The set that is being switched. */
  switching = $state('');
  shown = $derived(filtered(this.sets ?? [], this.filter));
  open = $derived.by<{ set: SetRow; tool: ToolRow } | null>(() => {
    for (const set of this.sets ?? []) {
      const tool = set.tools.find((one) => one.id === this.selected);
      if (tool) return { set, tool };
    }
    return null;
  });

  #gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly live: Live) {}

  async read(): Promise<void> {
    try {
      this.sets = await this.live.bridge.tools();
      this.trouble = '';
    } catch (cause) {
      this.trouble = sentence(cause);
    }
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
  async flip(set: string, on: boolean): Promise<void> {
    this.switching = set;
    try {
      this.live.did(await this.live.bridge.switchSet({ set, on }));
      await this.read();
    } catch (cause) {
      this.trouble = sentence(cause);
    } finally {
      this.switching = '';
    }
  }

  /** Moves among the tools that are shown. */
  move(by: number): void {
    const tools = this.shown.flatMap((set) => set.tools);
    const at = tools.findIndex((tool) => tool.id === this.selected);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), tools.length - 1);
    this.selected = tools[to]?.id ?? '';
  }

  #hinted(events: Event[]) {
    if (events.some((event) => event.type === 'settings.changed')) void this.read();
    else if (this.#gathering === undefined && events.some((event) => event.type.startsWith('tool.call.')))
      this.#gathering = setTimeout(() => {
        this.#gathering = undefined;
        void this.read();
      }, gatherMs);
  }
}
