import { sentence } from '../bridge/bridge';
import type { SetRow, ToolRow } from '../bridge/dto';
import type { Live } from '../bridge/live.svelte';

/** The sets with the tools that a filter leaves, by id, wire name and description. */
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
  trouble = $state('');
  shown = $derived(filtered(this.sets ?? [], this.filter));
  open = $derived.by<{ set: SetRow; tool: ToolRow } | null>(() => {
    for (const set of this.sets ?? []) {
      const tool = set.tools.find((one) => one.id === this.selected);
      if (tool) return { set, tool };
    }
    return null;
  });

  constructor(readonly live: Live) {}

  async read(): Promise<void> {
    try {
      this.sets = await this.live.bridge.tools();
      this.trouble = '';
    } catch (cause) {
      this.trouble = sentence(cause);
    }
  }

  /** Moves among the tools that are shown. */
  move(by: number): void {
    const tools = this.shown.flatMap((set) => set.tools);
    const at = tools.findIndex((tool) => tool.id === this.selected);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), tools.length - 1);
    this.selected = tools[to]?.id ?? '';
  }
}
