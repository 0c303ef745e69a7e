import { recordAt } from '../../../shared/dialects/fields.ts';

/** What a story needs of the log: complaints, and why a phase is passed or what it waits for. The rest it tells itself. */
const telling = /^(Phases? passed|Returning to phase|Deletion waits|Drain not completed yet, requeuing)/;

/** Who asked, and what is the same in no two lines. */
const left = ['function', 'request', 'uid', 'trace', 'event', 'type', 'subject', 'reply', 'milliseconds'];
/** The Machine and its phase come first; what it waits for stands in its status. */
const first = ['Machine', 'phase', 'message', 'Node'];

/** In words; undefined for a line that is not worth it. */
export function logWords(level: string, message: string, fields: object): string | undefined {
  if (level === 'error') return `ERROR: ${message}${restOf(fields, left)}`;
  if (level === 'warn') return `warns: ${warningWords(message, fields)}`;
  if (level !== 'info' || !telling.test(message)) return undefined;
  const { Machine, phase, phases, as, to, reason, again } = recordAt(fields);
  if (as !== undefined) {
    const what = phases === undefined ? text(phase) : `over ${text(phases)}`;
    return `passes ${what} of Machine ${text(Machine)} as ${text(as)}${because(fields)}`;
  }
  if (to !== undefined) return `takes Machine ${text(Machine)} back to ${text(to)}${because(fields)}`;
  const why = reason === undefined ? '' : `: ${text(reason)}`;
  return `waits in ${text(phase)} of Machine ${text(Machine)}${why}, looks again ${whenOf(again, message)}`;
}

function warningWords(message: string, fields: object): string {
  const { function: name, status, why, error, Machine, phase, again } = recordAt(fields);
  if (message === 'request') return `its ${text(name)} is answered ${text(status)}: ${text(why)}`;
  const during = phase === undefined ? '' : ` in ${text(phase)}`;
  const about = Machine === undefined ? '' : `: Machine ${text(Machine)}${during}`;
  if (error === undefined || again === undefined)
    return `${message}${about}${restOf(fields, [...left, ...first])}`;
  return `${message}${about}: ${text(error)}; looks again in ${text(again)}`;
}

const whenOf = (again: unknown, message: string): string =>
  `in ${again === undefined ? message.replace(/.* in /, '') : text(again)} at the latest`;

const because = (fields: object): string => {
  const { message } = recordAt(fields);
  return message === undefined || message === '' ? '' : `: ${text(message)}`;
};

function restOf(fields: object, without: readonly string[]): string {
  const rest = Object.entries(fields).filter(([key, value]) => !without.includes(key) && value !== undefined);
  return rest.length === 0 ? '' : ` (${rest.map(([key, value]) => `${key}: ${text(value)}`).join(', ')})`;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
