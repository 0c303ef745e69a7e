import type { PrinterColumn } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { isObject, listOf } from '../server/json.ts';
import { ageSince } from './age.ts';
import type { Printer } from './printer.ts';

/** The columns a CustomResourceDefinition names, after the name of the object. */
export function customPrinter(columns: readonly PrinterColumn[]): Printer {
  const shown =
    columns.length > 0 ? columns : [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];
  return {
    columns: [{ name: 'Name', format: 'name' }, ...shown],
    cells: (object, now) => [object.metadata.name, ...shown.map((column) => cell(column, object, now))],
  };
}

function cell(column: PrinterColumn, object: KubeObject, now: number): unknown {
  const [value] = valuesAt(object, column.jsonPath);
  if (value === undefined || value === null) return null;
  if (column.type === 'date') return ageSince(value, now);
  if (column.type === 'integer' || column.type === 'number' || column.type === 'boolean') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const step = /\.([\w-]+)|\[\?\(@\.([\w.-]+)==["']([^"']*)["']\)\]|\[(\d+|\*)\]|\['((?:[^'\\]|\\.)*)'\]/g;

/** The values at a path such as `.status.conditions[?(@.type=="Ready")].status` or `.metadata.labels['a\.b/c']`. */
function valuesAt(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value];
  for (const [, plain, key, wanted, index, quoted] of path.matchAll(step)) {
    const field = plain ?? quoted?.replaceAll(/\\(.)/g, '$1');
    if (field !== undefined) found = found.map((one) => (isObject(one) ? one[field] : undefined));
    else if (key !== undefined)
      found = found.flatMap((one) => listOf(one).filter((item) => isObject(item) && item[key] === wanted));
    else found = found.flatMap((one) => (index === '*' ? listOf(one) : [listOf(one)[Number(index)]]));
  }
  return found.filter((one) => one !== undefined);
}
