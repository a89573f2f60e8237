import type { Choice } from '../lib/bridge/dto';
import type { Choosing, Command } from '../lib/palette/command';
import { catalogs, holds, locks, loosens, themes } from '../lib/settings/choices';
import type { Settings } from '../lib/settings/settings.svelte';

/**
 * The settings that decide, as commands. What tightens is done at once. What loosens shows all values
 * first, with the present one under Enter, as in the status line: it takes a choice and then Enter.
 */
export function changes(settings: Settings): Command[] {
  const desk = settings.live.snapshot?.desk;
  if (!desk || settings.live.link !== 'up') return [];
  const lock = desk.readOnly ? 'on' : 'off';
  return [
    ...ruled('preset', 'Preset', desk.presets, desk.preset, (preset) => void settings.set({ preset })),
    ...ruled('catalog', 'Catalog', catalogs, desk.catalog, (catalog) => void settings.set({ catalog })),
    ...ruled('lock', 'Read-only lock', locks, lock, (readOnly) => void settings.set({ readOnly })),
    ...themes
      .filter((one) => one.value !== (desk.theme || 'system'))
      .map(({ value, label }) => ({
        id: `theme:${value}`,
        group: 'Change',
        title: `Theme: ${label}`,
        also: 'colours',
        act: () => void settings.set({ theme: value }),
      })),
  ];
}

function ruled(
  setting: keyof typeof holds,
  title: string,
  choices: Choice[],
  value: string,
  pick: (value: string) => void,
): Command[] {
  const choosing: Choosing = { title, words: holds[setting], value, choices, pick };
  return choices
    .filter((one) => one.value !== value)
    .map((one) => {
      const opens = loosens(setting, value, one.value);
      return {
        id: `${setting}:${one.value}`,
        group: 'Change',
        // A label that ends in … opens something first.
        title: `${title}: ${one.label}${opens ? '…' : ''}`,
        words: one.words,
        act: opens ? choosing : () => pick(one.value),
      };
    });
}
