import type { Component } from 'svelte';

/** Piece is a part of the page whose code is read when it is first needed, and kept. */
export class Piece<Props extends Record<string, unknown>> {
  /** The component, once it was read. */
  part = $state.raw<Component<Props>>();
  /** Why the last reading failed. */
  failure = $state.raw<{ cause: unknown }>();

  #reading: Promise<void> | undefined;

  constructor(private readonly read: () => Promise<{ default: Component<Props> }>) {}

  /** Reads the code unless it is there. What fails is kept as the failure, and read again when asked again. */
  load(): Promise<void> {
    if (this.part) return Promise.resolve();
    this.failure = undefined;
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      this.part = (await this.read()).default;
    } catch (cause) {
      this.failure = { cause };
    } finally {
      this.#reading = undefined;
    }
  }
}
