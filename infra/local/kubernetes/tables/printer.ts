import type { KubeObject } from '../objects/cluster.ts';
import { textAt } from '../server/json.ts';

/** The columns of a kind and what an object shows in them. */
export interface Printer {
  readonly columns: readonly Column[];
  cells(object: KubeObject, now: number): unknown[];
}

export interface Column {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** How long ago, as kubectl says it: `7s`, `2m5s`, `3h`, `4d`. */
export function ageSince(time: unknown, now: number): string {
  if (typeof time !== 'string') return '<unknown>';
  const seconds = Math.floor((now - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return '<invalid>';
  return duration(Math.max(0, seconds));
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (days < 8) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  return two(Math.floor(days / 365), 'y', days % 365, 'd');
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

type Cell = readonly [column: string | Column, value: (object: KubeObject, now: number) => unknown];

export const age: Cell = ['Age', ({ metadata }, now) => ageSince(metadata.creationTimestamp, now)];
export const name: Cell = [{ name: 'Name', format: 'name' }, ({ metadata }) => metadata.name];

/** What a kind shows, cell by cell. */
export function printer(...cells: Cell[]): Printer {
  return {
    columns: cells.map(([column]) => (typeof column === 'string' ? { name: column } : column)),
    cells: (object, now) => cells.map(([, value]) => value(object, now)),
  };
}

export const wide = (column: string): Column => ({ name: column, priority: 1 });
/** The text at the end of the keys, or `<none>`. */
export const text =
  (...path: string[]) =>
  (object: KubeObject) =>
    textAt(object, ...path) || '<none>';
