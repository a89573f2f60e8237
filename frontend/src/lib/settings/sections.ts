import type { SettingRow } from '../bridge/dto';

/** A section of the settings, and how many things stand in it where that says something. */
export interface SettingsSection {
  id: string;
  label: string;
  count?: number | undefined;
}

/** A setting without a section made for it. */
export interface OtherSetting {
  id: string;
  label: string;
  row: SettingRow;
}

// The settings that have a section of their own; every other one of the desk gets a plain field.
const own = ['preset', 'catalog', 'readOnly', 'profile', 'toolSets', 'allowedDomains', 'theme'];

const labels: Record<string, string> = { maxHoldSeconds: 'Longest hold', resultNotes: 'Notes on new files' };

/** The settings that the desk has and no section was made for. */
export function otherSettings(fields: SettingRow[]): OtherSetting[] {
  return fields
    .filter((row) => !own.includes(row.key))
    .map((row) => ({ id: row.key, label: labels[row.key] ?? row.key, row }));
}

/** The sections made for a setting, in order. Their ids are the last part of the address. */
export const sections = [
  { id: 'presets', label: 'Presets' },
  { id: 'catalog', label: 'Catalog' },
  { id: 'lock', label: 'Read-only lock' },
  { id: 'profile', label: 'Profile' },
  { id: 'toolSets', label: 'Tool sets' },
  { id: 'allowedDomains', label: 'Allowed hosts' },
  { id: 'trust', label: 'Trusted workspaces' },
  { id: 'grants', label: 'Grants' },
  { id: 'theme', label: 'Theme' },
] as const;

export type SectionId = (typeof sections)[number]['id'];

/** All sections in their order, with what is counted in them. */
export function sectionsOf(
  others: OtherSetting[],
  counts: Partial<Record<SectionId, number | undefined>>,
): SettingsSection[] {
  const made = sections.map((one) => ({ ...one, count: counts[one.id] }));
  return [...made, ...others.map(({ id, label }) => ({ id, label }))];
}
