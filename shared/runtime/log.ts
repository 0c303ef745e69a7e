import { inspect, styleText } from 'node:util';
import type { Clock } from '../time/clock.ts';

/** Levels of the log, from the most to the least verbose. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
/** A level of the log. */
export type LogLevel = (typeof logLevels)[number];
export type LogForm = 'json' | 'text';

/** A constant message with variable fields, so that lines can be counted by message. */
export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  /** A log whose lines all carry these fields too. */
  child(fields: object): Log;
}

/** The log of an instance. */
export interface InstanceLog extends Log {
  child(fields: object): InstanceLog;
  /** A log that writes for the first caller with this key, and nothing for every later one. */
  once(key: string): InstanceLog;
}

export interface LogOptions {
  stream: { write(text: string): unknown; isTTY?: boolean };
  clock: Pick<Clock, 'now'>;
  level: LogLevel;
  form: LogForm;
}

interface Line {
  time: string;
  level: LogLevel;
  message: string;
  fields: object;
}

/** Keys that are remembered. Beyond them lines repeat, and the memory does not grow. */
const maxKeys = 1_000;

/** As much of an object as people read. */
const onOneLine = { depth: 3, breakLength: Infinity, compact: true } as const;

/** Lines of JSON, or of text for people, to a stream. Never throws because of what it is given. */
export function createLog(options: LogOptions): InstanceLog {
  const loggedKeys = new Set<string>();
  return logWith(options, loggedKeys, {});
}

function logWith(options: LogOptions, said: Set<string>, inherited: object): InstanceLog {
  const { stream, clock, level: least } = options;
  const write = (level: LogLevel, message: string, fields: object = {}): void => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return;
    const time = new Date(clock.now()).toISOString();
    const line = { time, level, message, fields: { ...inherited, ...fields } };
    stream.write(`${options.form === 'json' ? asJson(line) : asText(line, stream.isTTY === true)}\n`);
  };
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    child: (fields) => logWith(options, said, { ...inherited, ...fields }),
    once(key) {
      if (said.has(key)) return silent;
      if (said.size < maxKeys) said.add(key);
      return logWith(options, said, inherited);
    },
  };
}

/** Logs nothing. */
export const silent: InstanceLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
  once: () => silent,
};

function asJson({ time, level, message, fields }: Line): string {
  // Named `msg`, as Knative's own logs are; fields are free to have a `message`.
  const fixed = { time, level, msg: message };
  try {
    return JSON.stringify({ ...fixed, ...fields, ...fixed }, plain);
  } catch {
    return JSON.stringify({ ...fixed, fields: inspect(fields, onOneLine) });
  }
}

/** Errors have no enumerable fields, and JSON has no bigint. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

const colors = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

function asText({ time, level, message, fields }: Line, isTerminal: boolean): string {
  const word = level.toUpperCase().padEnd(5);
  const shown = isTerminal ? styleText(colors[level], word, { validateStream: false }) : word;
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [
    time.slice(11, 23),
    shown,
    message,
    ...pairs.map(([name, value]) => `${name}=${asWord(value)}`),
  ].join(' ');
}

function asWord(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(`${value.name}: ${value.message}`);
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return inspect(value, onOneLine);
}
