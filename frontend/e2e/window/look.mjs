// What a person would complain about on sight: something beyond the window's edge, a
// control that is cut or covered, a word that ends in dots, and what axe finds.
import { axeRules, axeSource } from '../harness.mjs';

// Sent along with each function below: what they all need to speak of an element.
const common = `
  const describe = (one) => {
    const words = (one.getAttribute('aria-label') ?? one.innerText ?? '').replace(/\\s+/g, ' ').trim().slice(0, 50);
    return one.tagName.toLowerCase() + '.' + [...one.classList].join('.') + ' "' + words + '"';
  };
  const visible = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // A modal covers the rest on purpose.
  const scope = document.querySelector('dialog[open], [aria-modal="true"]') ?? document.body;
  const roles = ['option', 'tab', 'menuitem', 'menuitemradio', 'switch'].map((role) => '[role="' + role + '"]');
  const selector = ['button', 'a[href]', 'input', 'select', 'textarea', 'summary', ...roles].join();
  const controls = [...scope.querySelectorAll(selector)].filter((one) => {
    const box = one.getBoundingClientRect();
    return visible(one) && !one.closest('.vh') && box.width > 1 && box.height > 1;
  });
`;

/* global describe, visible, scope, controls */

/** The page itself fits the window. */
function overflow() {
  const { scrollWidth, scrollHeight } = document.scrollingElement;
  const faults = [];
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} wide`);
  if (scrollHeight > innerHeight) faults.push(`the page is ${scrollHeight} high`);
  return faults;
}

/**
 * Controls of which a part can never be seen: what scrolls on an axis hides nothing for
 * good on it, what clips does.
 */
function cut() {
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const whole = new DOMRect(0, 0, innerWidth, innerHeight);
  const lost = (one) => {
    const box = one.getBoundingClientRect();
    let [x, y] = [true, true];
    for (let outer = one.parentElement; outer && (x || y); outer = outer.parentElement) {
      const top = outer === document.documentElement;
      const { overflowX, overflowY } = getComputedStyle(outer);
      x &&= !scrolls(overflowX);
      y &&= !scrolls(overflowY);
      const frame = top ? whole : outer.getBoundingClientRect();
      const clipsX = x && (top || overflowX !== 'visible');
      const clipsY = y && (top || overflowY !== 'visible');
      if (clipsX && (box.left < frame.left - 1 || box.right > frame.right + 1)) return true;
      if (clipsY && (box.top < frame.top - 1 || box.bottom > frame.bottom + 1)) return true;
    }
    return false;
  };
  const inside = (one) =>
    !['TEXTAREA', 'INPUT'].includes(one.tagName) &&
    one.scrollWidth > one.clientWidth + 1 &&
    getComputedStyle(one).overflowX !== 'visible';
  return controls.filter((one) => lost(one) || inside(one)).map((one) => `${describe(one)} is cut`);
}

/** Controls that something else lies on. */
function covered() {
  const inView = (x, y, one) => {
    for (let outer = one.parentElement; outer; outer = outer.parentElement) {
      const { left, right, top, bottom } = outer.getBoundingClientRect();
      const clips = getComputedStyle(outer).overflow !== 'visible';
      if (clips && (x < left || x > right || y < top || y > bottom)) return false;
    }
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  };
  const faults = [];
  for (const one of controls) {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!inView(x, y, one)) continue;
    const top = document.elementFromPoint(x, y);
    const own = [one, ...(one.labels ?? [])].some((each) => each.contains(top)) || top?.contains(one);
    if (!own) faults.push(`${describe(one)} is covered by ${top ? describe(top) : 'nothing'}`);
  }
  return faults;
}

/** Nothing ends in dots but names that are whole in a title, and what a button beside it unfolds. */
function dotted() {
  const faults = [];
  for (const one of scope.querySelectorAll('*')) {
    const { textOverflow, webkitLineClamp } = getComputedStyle(one);
    const clamped = !['none', '', undefined].includes(webkitLineClamp);
    if ((textOverflow !== 'ellipsis' && !clamped) || !visible(one)) continue;
    const short = one.scrollWidth > one.clientWidth + 1 || (clamped && one.scrollHeight > one.clientHeight + 1);
    const folded = one.parentElement?.querySelector(':scope > button[aria-expanded="false"]');
    if (short && !folded && !one.closest('[title]') && !one.querySelector('[title]'))
      faults.push(`${describe(one)} ends in dots`);
  }
  return faults;
}

/** The faults of the page as it is laid out now, in words; empty when there are none. */
export function layoutFaults(page) {
  return page.run(`() => { ${common} return [${[overflow, cut, covered, dotted].map((f) => `...(${f})()`).join()}]; }`);
}

/** Everything that Tab should stop at, in the order of the document. */
export function tabStops() {
  const selector = 'button, a[href], input, select, textarea, summary, [tabindex], [contenteditable]';
  // Of a group of radio buttons Tab stops at the chosen one.
  const passed = (one) => one.disabled || one.closest('[inert]') || (one.type === 'radio' && !one.checked);
  const all = [...document.querySelectorAll(selector)];
  return all.filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }) && !passed(one));
}

/** What axe finds on the page as it stands, in words; empty when it finds nothing. */
export async function axeFaults(page) {
  if (!(await page.run(() => 'axe' in globalThis))) await page.run(`() => { ${axeSource}; }`);
  return page.run(async (rules) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    return violations.map(({ help, nodes }) => `${help}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  }, axeRules);
}
