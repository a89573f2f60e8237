import { type Choosing, type Command, find } from './command';

/** What a page of the list moves by. */
const page = 8;

/** A line that can be chosen: a command, or a value of a setting. */
export interface Line {
  id: string;
  run(): void;
}

/**
 * Palette is the list of commands while it is open. What it lists is fixed when it opens, so that
 * nothing moves while somebody chooses; what is read later is added below.
 */
export class Palette {
  open = $state(false);
  query = $state('');
  /** The setting whose values are shown in place of the commands. */
  choosing = $state.raw<Choosing | null>(null);
  active = $state('');

  #commands = $state.raw<Command[]>([]);
  groups = $derived.by(() => find(this.#commands, this.query));
  lines = $derived.by<Line[]>(() => {
    const { choosing } = this;
    if (choosing)
      return choosing.choices.map(({ value }) => ({ id: valueId(value), run: () => this.#pick(choosing, value) }));
    return this.groups.flatMap((group) => group.commands.map((one) => ({ id: one.id, run: () => this.#do(one) })));
  });

  #places = $derived(new Map(this.lines.map((line, i) => [line.id, i])));

  /** The id that a line has in the page: what names it may hold spaces, or be in the page already. */
  place(id: string): string {
    return `palette-line-${this.#places.get(id) ?? ''}`;
  }

  show(commands: Command[]): void {
    this.#commands = commands;
    this.query = '';
    this.choosing = null;
    this.open = true;
    this.first();
  }

  /** Adds what was read after it opened. */
  add(commands: Command[]): void {
    const known = new Set(this.#commands.map((one) => one.id));
    this.#commands = [...this.#commands, ...commands.filter((one) => !known.has(one.id))];
    if (!this.lines.some((line) => line.id === this.active)) this.first();
  }

  close(): void {
    this.open = false;
    this.#commands = [];
    this.choosing = null;
  }

  /** Takes what was typed. */
  ask(query: string): void {
    this.query = query;
    this.first();
  }

  /** From the values of a setting back to the commands, from there out. */
  back(): void {
    if (!this.choosing) return this.close();
    this.choosing = null;
    this.first();
  }

  /** Moves by so many lines; at an end by one line it goes on at the other. */
  move(by: number): void {
    const { lines } = this;
    const at = lines.findIndex((line) => line.id === this.active);
    const to =
      Math.abs(by) === 1 ? (at + by + lines.length) % lines.length : Math.min(Math.max(at + by, 0), lines.length - 1);
    this.active = lines[to]?.id ?? '';
  }

  page(by: 1 | -1): void {
    this.move(by * page);
  }

  first(): void {
    this.active = this.lines[0]?.id ?? '';
  }

  last(): void {
    this.active = this.lines.at(-1)?.id ?? '';
  }

  /** Does what a line says; without one, the active line. */
  run(id = this.active): void {
    this.lines.find((line) => line.id === id)?.run();
  }

  #do({ act }: Command): void {
    if (typeof act === 'function') {
      this.close();
      act();
      return;
    }
    this.choosing = act;
    // The value that holds is the one that Enter would take.
    this.active = valueId(act.value);
  }

  #pick(choosing: Choosing, value: string): void {
    this.close();
    if (value !== choosing.value) choosing.pick(value);
  }
}

export const valueId = (value: string) => `value:${value}`;
