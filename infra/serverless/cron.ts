/** The values each field allows, ascending. A schedule of five fields fires at second 0. */
export interface Cron {
  seconds: number[];
  minutes: number[];
  hours: number[];
  daysOfMonth: number[];
  /** From 1. */
  months: number[];
  /** From Sunday, 0. */
  daysOfWeek: number[];
  /** With both day fields restricted, a day that suits either fires; otherwise a day must suit both. */
  eitherDay: boolean;
}

/** A schedule that cannot be read, with the reason in words. */
export class CronSyntaxError extends Error {
  override readonly name = 'CronSyntaxError';
}

interface Field {
  name: string;
  least: number;
  most: number;
  names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields = {
  seconds: { name: 'second', least: 0, most: 59 },
  minutes: { name: 'minute', least: 0, most: 59 },
  hours: { name: 'hour', least: 0, most: 23 },
  daysOfMonth: { name: 'day of month', least: 1, most: 31 },
  months: { name: 'month', least: 1, most: 12, names: months },
  daysOfWeek: { name: 'day of week', least: 0, most: 6, names: days },
} as const satisfies Record<string, Field>;

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * Reads a PingSource's schedule: five fields, six with leading seconds, or a descriptor such as `@hourly`. Refuses
 * `@every`, as Knative does. Throws CronSyntaxError.
 */
export function parseCron(schedule: string): Cron {
  const text = schedule.startsWith('@') ? descriptors[schedule] : schedule;
  if (text === undefined) throw new CronSyntaxError(`${schedule} is not a descriptor of a PingSource`);

  const parts = text.trim().split(/\s+/);
  if (parts.length === 5) parts.unshift('0');
  if (parts.length !== 6) throw new CronSyntaxError(`five or six fields are needed, not ${parts.length}`);

  const [seconds = '', minutes = '', hours = '', daysOfMonth = '', month = '', daysOfWeek = ''] = parts;
  return {
    seconds: valuesOf(seconds, fields.seconds),
    minutes: valuesOf(minutes, fields.minutes),
    hours: valuesOf(hours, fields.hours),
    daysOfMonth: valuesOf(daysOfMonth, fields.daysOfMonth),
    months: valuesOf(month, fields.months),
    daysOfWeek: valuesOf(daysOfWeek, fields.daysOfWeek),
    eitherDay: isRestricted(daysOfMonth) && isRestricted(daysOfWeek),
  };
}

/** A star makes a field unrestricted even with a step, a rule that cron has kept from its beginnings. */
const isRestricted = (text: string): boolean => !/(^|,)[*?]/.test(text);

function valuesOf(text: string, field: Field): number[] {
  const values = new Set(text.split(',').flatMap((part) => rangeOf(part, field)));
  return [...values].toSorted((one, other) => one - other);
}

function rangeOf(part: string, field: Field): number[] {
  const [, range = '', step] = /^([^/]*)(?:\/([1-9]\d*))?$/.exec(part) ?? [];
  const [from, to] = boundsOf(range, field, step !== undefined) ?? [];
  if (from === undefined || to === undefined || from < field.least || to > field.most || from > to) {
    throw new CronSyntaxError(`${JSON.stringify(part)} is no ${field.name}`);
  }
  const count = Math.floor((to - from) / Number(step ?? 1)) + 1;
  return Array.from({ length: count }, (_, index) => from + index * Number(step ?? 1));
}

/** `5/10` means from 5 on in tens. */
function boundsOf(range: string, field: Field, stepped: boolean): [number, number] | undefined {
  if (range === '*' || range === '?') return [field.least, field.most];
  const [first = '', last, ...more] = range.split('-');
  const from = valueOf(first, field);
  const to = last === undefined ? (stepped ? field.most : from) : valueOf(last, field);
  return from === undefined || to === undefined || more.length > 0 ? undefined : [from, to];
}

function valueOf(text: string, { least, names = [] }: Field): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text.toLowerCase());
  return index === -1 ? undefined : index + least;
}
