/** The sections of the settings, in order. Their ids are the last part of the address. */
export const sections = [
  { id: 'presets', label: 'Preset' },
  { id: 'catalog', label: 'Catalog' },
  { id: 'lock', label: 'Read-only lock' },
  { id: 'trust', label: 'Trusted workspaces' },
  { id: 'theme', label: 'Theme' },
] as const;

export type SectionId = (typeof sections)[number]['id'];
