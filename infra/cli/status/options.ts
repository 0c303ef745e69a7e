import { isJson, parseOptions } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type ArchivePlaces, archiveOptions, archivePlacesOf } from '../history/options.ts';
import { type LookSource, lookOptions, lookSourceOf, namespaceOf, namespaceOption } from '../look/options.ts';

/** What `phaseout status` is asked for. */
export interface StatusOptions {
  source: LookSource;
  /** Undefined is all of them. */
  namespace: string | undefined;
  watch: boolean;
  /** Where the store is; undefined where none is named, and none is asked then. */
  store: ArchivePlaces | undefined;
  json: boolean;
}

export const statusOptions = {
  ...lookOptions,
  ...archiveOptions,
  'all-namespaces': { type: 'boolean', short: 'A' },
  ...namespaceOption,
  watch: { type: 'boolean', short: 'w' },
} as const;

/** Throws UsageError. */
export function readStatusOptions(args: readonly string[]): StatusOptions {
  const values = parseOptions(args, statusOptions);
  const { 'all-namespaces': isAll = false, watch = false, output } = values;
  const namespace = namespaceOf(values);
  if (namespace !== undefined && isAll)
    throw new UsageError('--all-namespaces and --namespace exclude each other');
  const isNamed = Object.keys(archiveOptions).some((name) => name in values);
  return {
    source: lookSourceOf(values, 'cluster'),
    namespace,
    watch,
    store: isNamed ? archivePlacesOf(values) : undefined,
    json: isJson(output),
  };
}
