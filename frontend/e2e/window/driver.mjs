// The W3C WebDriver protocol as far as the tests need it, over fetch: a page in a window
// that already runs, driven by the WebKitWebDriver that was started beside it.
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const answerMs = 15_000;

/** Keys that have no character. */
export const keys = {
  shift: '\uE008',
  control: '\uE009',
  alt: '\uE00A',
  tab: '\uE004',
  enter: '\uE007',
  escape: '\uE00C',
  up: '\uE013',
  down: '\uE015',
};

/** One session of a driver at an address. */
export class Driver {
  #base;
  #session = '';

  constructor(port) {
    this.#base = `http://127.0.0.1:${port}`;
  }

  async #ask(method, path, body, ms = answerMs) {
    const reply = await fetch(this.#base + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(ms),
    }).catch((cause) => {
      throw new Error(`${method} ${path} got no answer within ${ms} ms`, { cause });
    });
    const { value } = await reply.json();
    if (!reply.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  /** Whether the driver answers at all. */
  async ready() {
    try {
      return (await this.#ask('GET', '/status', undefined, 1_000)).ready;
    } catch {
      return false;
    }
  }

  /** Attaches to the window. */
  async open() {
    const { sessionId } = await this.#ask('POST', '/session', { capabilities: { alwaysMatch: {} } });
    this.#session = `/session/${sessionId}`;
    await this.#ask('POST', `${this.#session}/timeouts`, { script: answerMs });
  }

  /**
   * Runs a function in the page and gives what it returns or promises. It must not use
   * names from outside itself. Elements go both ways.
   */
  async run(f, ...args) {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${f})(...[...arguments].slice(0, -1))).then(
        (value) => done({ value }), (error) => done({ error: String(error) }))`;
    const reply = await this.#ask('POST', `${this.#session}/execute/async`, { script, args });
    if (reply.error) throw new Error(`in the page: ${reply.error}`);
    return reply.value ?? null;
  }

  /** Clicks an element as a person does: scrolled into view, at its middle, trusted. */
  click(element) {
    return this.#ask('POST', `${this.#session}/element/${element[elementKey]}/click`, {});
  }

  /** Presses keys together and lets them go in reverse. */
  press(...chord) {
    const actions = [
      ...chord.map((value) => ({ type: 'keyDown', value })),
      ...chord.toReversed().map((value) => ({ type: 'keyUp', value })),
    ];
    return this.#ask('POST', `${this.#session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** Writes text into an element, key by key. */
  type(element, text) {
    return this.#ask('POST', `${this.#session}/element/${element[elementKey]}/value`, { text });
  }

  /** The role and the name that assistive technology is told. */
  async spoken(element) {
    const about = (what) => this.#ask('GET', `${this.#session}/element/${element[elementKey]}/${what}`);
    return { role: await about('computedrole'), name: await about('computedlabel') };
  }
}
