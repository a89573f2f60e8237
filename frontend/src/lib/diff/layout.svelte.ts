import type { Layout } from './rows';

const name = 'countersign-diff';

function remembered(): Layout {
  try {
    return localStorage.getItem(name) === 'split' ? 'split' : 'unified';
  } catch {
    return 'unified';
  }
}

/** How changes are laid out, in every place that shows one. The choice is remembered. */
class Choice {
  #value = $state<Layout>(remembered());

  get value(): Layout {
    return this.#value;
  }

  set(value: Layout): void {
    this.#value = value;
    try {
      localStorage.setItem(name, value);
    } catch {
      // A browser that keeps nothing begins unified again.
    }
  }
}

export const layout = new Choice();
