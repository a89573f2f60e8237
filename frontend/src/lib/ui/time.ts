const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long something took or takes, in the two largest units that matter: "3 h 54 min". */
export function span(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * second) return `${(ms / second).toFixed(1)} s`;
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return pair(ms, hour, 'h', minute, 'min');
  return pair(ms, day, 'd', hour, 'h');
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeUnit}${rest ? ` ${rest} ${smallUnit}` : ''}`;
}

/** How long something has been going on, to the second in the first hour: "1 min 12 s". */
export function elapsed(ms: number): string {
  if (ms < minute) return `${Math.floor(Math.max(0, ms) / second)} s`;
  return ms < hour ? pair(ms, minute, 'min', second, 's') : span(ms);
}

/** The age of an instant for a list: "now", "12 s", "6 min", "5 h", "yesterday", "6 days". "" for no instant. */
export function age(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return '';
  const ms = nowMs - atMs;
  if (ms < 3 * second) return 'now';
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  if (ms < 2 * day) return 'yesterday';
  return `${Math.floor(ms / day)} days`;
}

/** The age in a sentence: "just now", "6 min ago". */
export function ago(at: string, nowMs: number): string {
  const words = age(at, nowMs);
  if (words === 'now') return 'just now';
  return words === '' || words === 'yesterday' ? words : `${words} ago`;
}

/** What is left until an instant: "in 3 h 54 min", or "now" once it has passed. */
export function until(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Number.isNaN(ms)) return '';
  return ms <= 0 ? 'now' : `in ${ms < minute ? `${Math.ceil(ms / second)} s` : span(ms)}`;
}

// Written out rather than formatted by the browser: under LANG=C some name a language that none of
// their own formats takes.
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

function timeOfDay(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}

/** The exact local time for a title: "30 November 2026 at 14:03:11". */
export function exact(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()} at ${timeOfDay(date)}`;
}

/** The local time of day: "14:03:11". */
export function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : timeOfDay(date);
}

/** A count for a person: "12,345". One that came as text keeps every digit. */
export function counted(count: number | string): string {
  return String(count).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}

/** The local time in the fewest words: "14:03" within a day, "29 Nov" before that. */
export function moment(at: string, nowMs: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  if (nowMs - date.getTime() < day) return timeOfDay(date).slice(0, 5);
  return `${date.getDate()} ${months[date.getMonth()]?.slice(0, 3)}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The local time of day for a list: "14:03". */
export function minutes(at: string): string {
  return clock(at).slice(0, 5);
}

/** The local day of an instant in two parts: what it is called ("Today", "Thursday"), and its date. */
export function dayOf(at: string, nowMs: number): { name: string; date: string } {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return { name: '', date: '' };
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  // A day of the summer's beginning or end is an hour shorter or longer.
  const days = Math.round((midnight(nowMs) - midnight(date.getTime())) / day);
  const name = days === 0 ? 'Today' : days === 1 ? 'Yesterday' : (weekdays[date.getDay()] ?? '');
  return { name, date: `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}` };
}

/** A count of bytes for a person: "84.9 KB". */
export function bytes(count: number): string {
  if (count < 1024) return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = count / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
