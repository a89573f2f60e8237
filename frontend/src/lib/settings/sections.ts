import type { SettingRow } from '../bridge/dto';

/** A section of the settings. Its id is the last part of the address. */
export interface SettingsSection {
  id: string;
  label: string;
  /** What it is about. */
  words: string;
  /** Its key in config.json; none for what is kept in the database. */
  key?: string | undefined;
  /** It is changed in the file, and not here. */
  byHand?: boolean | undefined;
  /** How many things stand in it, where that says something. */
  count?: number | undefined;
}

/** A setting without a section made for it. */
export interface OtherSetting {
  id: string;
  label: string;
  row: SettingRow;
}

const labels: Record<string, string> = {
  externalTools: 'Other tool sets',
  externalToolApproval: 'Authors of tool sets',
  crystalTools: 'Tool sets for Crystal',
  maxHoldSeconds: 'Longest hold',
  resultNotes: 'Notes on new files',
};

/** The sections with a control of their own, in order. */
export const sections = [
  {
    id: 'presets',
    label: 'Presets',
    key: 'preset',
    words:
      'What happens when no grant covers a call. Restricted calls always ask, whatever the preset. A change applies from the next decision, and what waits is judged again.',
  },
  { id: 'catalog', label: 'Catalog', key: 'catalog', words: 'Which tools an agent is offered.' },
  {
    id: 'lock',
    label: 'Read-only lock',
    key: 'readOnly',
    words: 'Stops every change at once, in every session.',
  },
  {
    id: 'profile',
    label: 'Profile',
    key: 'profile',
    words: 'The rules behind the presets. No preset lets through what the profile denies.',
  },
  {
    id: 'toolSets',
    label: 'Tool sets',
    key: 'toolSets',
    words:
      'Agents are offered the tools of the sets that are on. A call of a set that is off is refused, and one that waits ends.',
  },
  {
    id: 'allowedDomains',
    label: 'Allowed hosts',
    key: 'allowedDomains',
    words: 'Hosts that web reads may reach without a question. Once the list has an entry, every other host is denied.',
  },
  {
    id: 'trust',
    label: 'Trusted workspaces',
    words:
      'Until a folder is trusted, nothing in it is changed. Forgetting an answer means that the question is asked again.',
  },
  {
    id: 'grants',
    label: 'Grants',
    key: 'unusedGrantDays',
    words:
      'What you have allowed ahead of time. It is kept in the database of the desk, never in a workspace. Revoking applies from the next call, not to one that runs already.',
  },
  {
    id: 'paths',
    label: 'Protected paths',
    words:
      'What no preset and no grant opens. The rules come with the program and hold for the paths of commands as for those of file tools.',
  },
  {
    id: 'hooks',
    label: 'Hooks',
    key: 'hooks',
    byHand: true,
    words:
      'Programs of yours that look at calls, in their order. A hook that gives no answer within 5 s denies the call, or withholds the result.',
  },
  {
    id: 'notifications',
    label: 'Notifications',
    key: 'notifications',
    words:
      'Whether your desktop tells you of calls that wait while the window is not in front. A page in a browser has none.',
  },
  { id: 'theme', label: 'Theme', key: 'theme', words: 'The colours of this page.' },
] as const satisfies SettingsSection[];

type SectionId = (typeof sections)[number]['id'];

/** What a section is called, "" for none that there is. */
export function sectionLabel(id: string): string {
  return sections.find((one) => one.id === id)?.label ?? '';
}

/** The settings that the desk has and no section was made for: each gets a plain field. */
export function otherSettings(fields: SettingRow[]): OtherSetting[] {
  const own: readonly string[] = sections.flatMap((one) => ('key' in one ? one.key : []));
  return fields
    .filter((row) => !own.includes(row.key))
    .map((row) => ({ id: row.key, label: labels[row.key] ?? row.key, row }));
}

/** All sections in their order, with what is counted in them. */
export function sectionsOf(
  others: OtherSetting[],
  counts: Partial<Record<SectionId, number | undefined>>,
): SettingsSection[] {
  const made = sections.map((one) => ({ ...one, count: counts[one.id] }));
  return [...made, ...others.map(({ id, label, row }) => ({ id, label, words: row.sentence, key: row.key }))];
}
