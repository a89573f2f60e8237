import type { SettingRow } from '../bridge/dto';

/** A program of the operator's that looks at calls. */
export interface HookRow {
  name: string;
  /** The program and its arguments. */
  run: string[];
}

/** The hooks of one event, in the order in which they are asked. */
export interface HookGroup {
  id: string;
  label: string;
  words: string;
  hooks: HookRow[];
}

const groups = [
  {
    id: 'beforeCall',
    label: 'Before a call',
    words: 'Asked before the call runs. Each may ask you, deny the call or rewrite it, and never lets more through.',
  },
  {
    id: 'afterResult',
    label: 'After a result',
    words: 'Shown the result before the agent gets it. Each may withhold or replace it.',
  },
];

/** Reads the hooks out of the setting's value; only what is one is listed. */
export function hooksOf(row: SettingRow | undefined): HookGroup[] {
  let value: Record<string, unknown> = {};
  try {
    value = (JSON.parse(row?.value ?? '{}') as Record<string, unknown> | null) ?? {};
  } catch {
    // What cannot be read names no hook.
  }
  return groups.map((group) => {
    const list = value[group.id];
    return { ...group, hooks: Array.isArray(list) ? list.filter(isHook) : [] };
  });
}

function isHook(one: unknown): one is HookRow {
  const { name, run } = (one ?? {}) as Partial<HookRow>;
  return typeof name === 'string' && Array.isArray(run) && run.every((word) => typeof word === 'string');
}
