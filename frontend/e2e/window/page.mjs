// The page as a test speaks of it: by roles and names, as playwright has it for the
// journeys in Chromium.
import { until, viewAt } from '../harness.mjs';

/** Runs in the page: the visible elements with a role whose name matches. */
function elementsOf(root, role, source, flags) {
  const tags = {
    A: 'link',
    ARTICLE: 'article',
    ASIDE: 'complementary',
    BUTTON: 'button',
    FIELDSET: 'group',
    H1: 'heading',
    H2: 'heading',
    H3: 'heading',
    INPUT: 'textbox',
    MAIN: 'main',
    NAV: 'navigation',
    SECTION: 'region',
    SELECT: 'combobox',
    TEXTAREA: 'textbox',
  };
  const types = { checkbox: 'checkbox', radio: 'radio', search: 'searchbox' };
  const roleOf = (one) => one.getAttribute('role') ?? types[one.getAttribute('type')] ?? tags[one.tagName] ?? '';
  const textOf = (one) => (one.innerText ?? one.textContent).replace(/\s+/g, ' ').trim();
  const nameOf = (one) => {
    const by = one.getAttribute('aria-labelledby');
    if (by)
      return by
        .split(/\s+/)
        .map((id) => textOf(document.getElementById(id)))
        .join(' ');
    return one.getAttribute('aria-label') ?? (one.labels?.length ? textOf(one.labels[0]) : textOf(one));
  };
  const pattern = new RegExp(source, flags);
  const within = root ?? document.documentElement;
  return [...within.querySelectorAll('*')].filter(
    (one) => roleOf(one) === role && one.checkVisibility({ visibilityProperty: true }) && pattern.test(nameOf(one)),
  );
}

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patternOf = (name) => (typeof name === 'string' ? [`^${escape(name)}$`, ''] : [name.source, name.flags]);

/** What a test does on a page. Each step waits for what it needs. */
export class Page {
  constructor(driver) {
    this.driver = driver;
  }

  run(f, ...args) {
    return this.driver.run(f, ...args);
  }

  press(...chord) {
    return this.driver.press(...chord);
  }

  /** All visible elements with a role and a name. */
  all(role, name = /^/, root = null) {
    return this.driver.run(elementsOf, root, role, ...patternOf(name));
  }

  /** The first visible element with a role and a name, as soon as there is one. */
  async one(role, name = /^/, root = null) {
    let found;
    await until(async () => ([found] = await this.all(role, name, root)).length && found, `${role} ${name}`);
    return found;
  }

  /** Waits until there is none. */
  none(role, name = /^/) {
    return until(async () => (await this.all(role, name)).length === 0, `no ${role} ${name}`);
  }

  async click(role, name, root = null) {
    await this.driver.click(await this.one(role, name, root));
  }

  async type(role, name, text) {
    await this.driver.type(await this.one(role, name), text);
  }

  text(element = null) {
    return this.driver.run((one) => (one ?? document.body).innerText, element);
  }

  /** Waits until the page, or an element of it, says something. */
  says(pattern, what = `the page says ${pattern}`, element = null) {
    return until(async () => pattern.test(await this.text(element)), what);
  }

  /** Waits until a selector matches. */
  matches(selector) {
    return until(() => this.driver.run((css) => document.querySelector(css) !== null, selector), selector);
  }

  /** Shows a view by its name in the rail, and waits until it takes keys. */
  async show(view) {
    const link = await this.one('link', new RegExp(`^${view}`), await this.one('navigation', 'Views'));
    await this.driver.click(link);
    await this.matches(viewAt(await this.run((one) => one.hash, link)));
  }

  /** Opens the first row of the inbox that holds the text, and waits until its card takes answers. */
  async card(text, kind = 'Approval') {
    await this.show('Approvals');
    await this.click('option', new RegExp(escape(text)));
    const card = await this.one('article', kind);
    await this.matches('[data-guard="open"]');
    return card;
  }
}
