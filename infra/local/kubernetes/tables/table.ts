import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { badRequest } from '../objects/status.ts';
import type { Target } from '../objects/target.ts';
import { atVersion } from '../server/wire.ts';
import type { Page } from '../verbs/list.ts';
import { builtinPrinters, defaultPrinter } from './builtin.ts';
import { customPrinter } from './custom.ts';
import type { Printer } from './printer.ts';

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

function pageMetadata(page: Page) {
  return {
    resourceVersion: page.resourceVersion,
    ...(page.continue !== '' && { continue: page.continue }),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  };
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
