import type { PrinterColumn, Target } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { badRequest } from '../objects/status.ts';
import { isObject, listOf } from '../server/json.ts';
import { atVersion } from '../server/wire.ts';
import { type Page, pageMetadata } from '../verbs/list.ts';
import { builtinPrinters, defaultPrinter } from './builtin.ts';
import { ageSince, type Printer } from './printer.ts';

/** Objects as rows with the columns that `kubectl get` shows. Throws ApiError for an unknown `includeObject`. */
export function tableOf(api: Api, target: Target, includeObject = 'Metadata') {
  if (!['', 'Metadata', 'Object', 'None'].includes(includeObject)) {
    const why = `includeObject: Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw badRequest(`Unable to convert to Table as requested: ${why}`);
  }
  const printer = printerOf(target);
  const columnDefinitions = printer.columns.map(
    ({ name, type = 'string', format = '', description, priority = 0 }) => ({
      name,
      type,
      format,
      ...(description && { description }),
      priority,
    }),
  );
  const row = (object: KubeObject) => ({
    cells: printer.cells(object, api.clock.now()),
    object: shown(target, object, includeObject),
  });
  const table = (metadata: object, columns: unknown, objects: readonly KubeObject[]) =>
    JSON.stringify({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: columns,
      rows: objects.map(row),
    });
  let hasNamedColumns = false;
  return {
    object: (object: KubeObject) => table(versionOf(object), columnDefinitions, [object]),
    list: (page: Page) => table(pageMetadata(page), columnDefinitions, page.objects),
    /** Only the first event of a watch names the columns. */
    event(object: KubeObject) {
      const columns = hasNamedColumns ? null : columnDefinitions;
      hasNamedColumns = true;
      return table(versionOf(object), columns, [object]);
    },
  };
}

function versionOf({ metadata }: KubeObject) {
  return { resourceVersion: metadata.resourceVersion ?? '' };
}

function printerOf({ resource, version }: Target): Printer {
  if (!resource.isCustom) return builtinPrinters[resource.key] ?? defaultPrinter;
  const served = resource.versions.find((one) => one.name === version);
  return customPrinter(served?.columns ?? []);
}

function shown({ resource, version }: Target, object: KubeObject, includeObject: string) {
  if (includeObject === 'None') return null;
  if (includeObject === 'Object') return atVersion(resource, version, object);
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

/** The columns a CustomResourceDefinition names, after the name of the object. */
function customPrinter(columns: readonly PrinterColumn[]): Printer {
  const named =
    columns.length > 0 ? columns : [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];
  return {
    columns: [{ name: 'Name', format: 'name' }, ...named],
    cells: (object, now) => [object.metadata.name, ...named.map((column) => cell(column, object, now))],
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
