/** The views there are, in the order of the rail and of Ctrl+1 and on. */
export const views = ['desk', 'approvals', 'tools', 'processes', 'history', 'connect', 'settings'] as const;

export type View = (typeof views)[number];

/** What each view is called. */
export const labels: Record<View, string> = {
  desk: 'Desk',
  approvals: 'Approvals',
  tools: 'Tools',
  processes: 'Processes',
  history: 'History',
  connect: 'Connect',
  settings: 'Settings',
};

/** A view, and what is open in it: a session, an approval, a process, a section. */
export interface Route {
  view: View;
  part: string;
}

/** Reads the address. What it does not know leads to the first view. */
export function routeOf(hash: string): Route {
  const [, name = '', part = ''] = hash.split('/');
  const view = views.find((one) => one === name) ?? 'desk';
  try {
    return { view, part: decodeURIComponent(part) };
  } catch {
    return { view, part: '' };
  }
}
