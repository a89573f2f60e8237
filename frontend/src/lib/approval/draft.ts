import type { ChangeField } from '../bridge/dto';

/** One argument as the person would have it. */
export interface Draft {
  field: ChangeField;
  given: boolean;
  /** What is typed: the text itself for a text, JSON for everything else. */
  text: string;
}

const first: Record<string, (field: ChangeField) => string> = {
  text: () => '',
  number: () => '0',
  boolean: () => 'false',
  choice: ({ choices }) => choices[0] ?? 'null',
  json: () => '',
};

/** A field as it came, or as it is when it is added. */
export function draftOf(field: ChangeField, given = field.given): Draft {
  if (!field.given) return { field, given, text: first[field.kind]?.(field) ?? '' };
  return { field, given, text: field.kind === 'text' ? (JSON.parse(field.value) as string) : field.value };
}

/** The arguments as JSON. Numbers stay as they are typed, to the digit. */
export function composed(drafts: readonly Draft[]): string {
  const members = drafts
    .filter(({ given }) => given)
    .map(
      ({ field, text }) =>
        `${JSON.stringify(field.name)}: ${field.kind === 'text' ? JSON.stringify(text) : text.trim()}`,
    );
  return members.length ? `{\n  ${members.join(',\n  ')}\n}` : '{}';
}

/** What keeps a field from being JSON at all, in words that complete a sentence about it; "" for nothing. */
export function faultOf({ field, given, text }: Draft): string {
  if (!given || field.kind === 'text') return '';
  try {
    JSON.parse(text);
    return '';
  } catch {
    return field.kind === 'number'
      ? 'is not a number: write digits, such as 5000'
      : 'is not JSON: check quotes, commas and brackets';
  }
}

/** The drafts that a JSON text makes of the fields; null where it is no object, or has a name twice. */
export function draftsFrom(fields: readonly ChangeField[], text: string): Draft[] | null {
  const members = membersOf(text);
  if (!members) return null;
  const known = fields.map((field) => {
    const value = members.get(field.name);
    if (value === undefined) return draftOf({ ...field, given: false, value: '' });
    return draftOf({ ...field, kind: fits(field, value) ? field.kind : 'json', given: true, value });
  });
  const names = new Set(fields.map(({ name }) => name));
  const more = [...members].filter(([name]) => !names.has(name));
  return [...known, ...more.map(([name, value]) => draftOf({ ...unknown, name, value }))];
}

const unknown: ChangeField = {
  name: '',
  kind: 'json',
  given: true,
  value: '',
  required: false,
  type: '',
  limits: [],
  description: '',
  choices: [],
};

function fits({ kind, choices }: ChangeField, value: string): boolean {
  if (kind === 'text') return value.startsWith('"');
  if (kind === 'number') return /^-?\d/.test(value);
  if (kind === 'boolean') return value === 'true' || value === 'false';
  return kind !== 'choice' || choices.includes(value);
}

/**
 * The outermost members of a JSON object, each as it is written: reading and writing numbers
 * would change them. Null for what is no object, and where a name stands twice.
 */
export function membersOf(text: string): Map<string, string> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  } catch {
    return null;
  }
  const members = new Map<string, string>();
  // From here on the text is known to be an object.
  let at = text.indexOf('{') + 1;
  for (;;) {
    at = past(text, at, /[\s,]*/y);
    if (text[at] === '}') return members;
    const colon = past(text, at, /"(?:[^"\\]|\\.)*"\s*/y);
    const name = JSON.parse(text.slice(at, colon)) as string;
    if (members.has(name)) return null;
    const from = past(text, colon + 1, /\s*/y);
    at = valueEnd(text, from);
    members.set(name, text.slice(from, at).trimEnd());
  }
}

function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; at++) {
    const sign = text[at] ?? '';
    if (sign === '"') at = past(text, at, /"(?:[^"\\]|\\.)*"/y) - 1;
    else if (sign === '{' || sign === '[') depth++;
    else if (depth === 0 && (sign === ',' || sign === '}' || sign === '')) return at;
    else if (sign === '}' || sign === ']') depth--;
  }
}

function past(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** The markers of hidden pieces in a text, in order. */
export function markersIn(text: string, marker: string): string[] {
  if (!marker) return [];
  return text.match(new RegExp(`${marker.replace(/[[\]:]/g, '\\$&')}\\d+\\]`, 'g')) ?? [];
}

/** Whether every marker stands where one stood: a hidden piece can be moved along, not broken up or taken out. */
export function keepsMarkers(before: string, after: string, marker: string): boolean {
  return markersIn(before, marker).toSorted().join() === markersIn(after, marker).toSorted().join();
}
