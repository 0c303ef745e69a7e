import { groupings } from '../../../shared/explain/fleet/standing-groups.ts';
import { listOutput } from '../../terminal/output.ts';
import { parseOptions } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { archiveOptions, archivePlacesOf } from '../history/options.ts';
import { lookSourceOf, namespaceOption, placeOptions } from '../look/options.ts';
import { namespaceOf } from '../source.ts';

const sortings = ['worst', 'age', 'name'] as const;

/** In which order Machines are listed. */
export type Sorting = (typeof sortings)[number];

export const statusOptions = {
  'all-namespaces': {
    type: 'boolean',
    short: 'A',
    meaning: 'the Machines of all namespaces: the default',
  },
  ...namespaceOption,
  by: {
    type: 'string',
    value: groupings.join('|'),
    choices: groupings,
    meaning: 'in groups, a row for each: by what holds them, who has to act, their Cluster, or their phase',
  },
  sort: {
    type: 'string',
    value: sortings.join('|'),
    choices: sortings,
    meaning: 'worst: the default; age: the oldest deletion first; name',
  },
  watch: {
    type: 'boolean',
    short: 'w',
    meaning: 'go on: a list that is redrawn as it changes, until Ctrl-C',
  },
  output: {
    ...listOutput.output,
    meaning:
      'wide: also when each Machine is looked at next, when its phase is given up, and the whole message; json or yaml: as data, with --watch one line or document for each change',
  },
  ...placeOptions,
  ...archiveOptions,
} as const;

/** Throws UsageError. */
export function readStatusOptions(args: readonly string[]) {
  const values = parseOptions(args, statusOptions);
  const { 'all-namespaces': isAll = false, watch = false, output, by, sort = 'worst' } = values;
  const namespace = namespaceOf(values);
  if (namespace !== undefined && isAll)
    throw new UsageError('--all-namespaces and --namespace exclude each other');
  const isNamed = Object.keys(archiveOptions).some((name) => name in values);
  return {
    source: lookSourceOf(values),
    namespace,
    watch,
    by,
    sort,
    store: isNamed ? archivePlacesOf(values) : undefined,
    form: output ?? ('text' as const),
  };
}
