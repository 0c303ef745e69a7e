import type { Instant } from '../../../shared/time/clock.ts';
import { compact } from '../../local/kubernetes/server/json.ts';
import type { ToldOptions } from '../../terminal/option.ts';
import { answerOutput, type Form } from '../../terminal/output.ts';
import { parseArguments, refuseStray, type ValuesOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type LookSource, lastListed, lookSourceOf } from '../look/options.ts';
import { namespaceOf, sourceOptions } from '../source.ts';
import { type Asking, agoOf, askedFor } from './asked.ts';

const group = 'Where the history is, if not where the functions have it (see phaseout history --help):';

/** Where the history is. */
export const archiveOptions = {
  table: { type: 'string', value: 'NAME', group, meaning: 'in this table of DynamoDB' },
  endpoint: { type: 'string', value: 'URL', group, meaning: 'at this address of DynamoDB' },
  region: { type: 'string', value: 'REGION', group, meaning: 'in this region of AWS' },
  'installed-in': {
    type: 'string',
    value: 'NAMESPACE',
    names: 'namespaces',
    group,
    meaning: 'the namespace of the functions, if it is not phaseout',
  },
} as const satisfies ToldOptions;

const ofTable =
  'In a table of DynamoDB, with the credentials that the tools of AWS would use; then nothing else is asked:';
const ofFunctions =
  'Otherwise where the functions have it, by the ConfigMap that they read; in the cluster through a port-forward:';
const nowhere = 'In these there are Machines and no history (exit code 3):';

export const historyOptions = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAMESPACE',
    names: 'namespaces',
    meaning: 'of a Machine or a Pod that is named by NAME alone',
  },
  node: { type: 'string', value: 'NAME', meaning: 'Machines that had this Node' },
  pod: {
    type: 'string',
    value: 'NAMESPACE/NAME',
    meaning: 'Machines whose Node a Pod of this name was to leave, and what came of that',
  },
  since: {
    type: 'string',
    value: 'TIME',
    meaning: 'only what was decided in the last 30m, 2h or 3d; alone, of all Machines',
  },
  ...answerOutput,
  table: { ...archiveOptions.table, group: ofTable, meaning: 'its name' },
  endpoint: {
    ...archiveOptions.endpoint,
    group: ofTable,
    meaning: 'its address; "phaseout run --serve" names that of its own store',
  },
  region: { ...archiveOptions.region, group: ofTable, meaning: 'its region' },
  'installed-in': { ...archiveOptions['installed-in'], group: ofFunctions },
  kubeconfig: {
    ...sourceOptions.kubeconfig,
    group: ofFunctions,
    meaning: 'the cluster, if it is not the one that kubectl would ask',
  },
  context: {
    ...sourceOptions.context,
    group: ofFunctions,
    meaning: 'of the kubeconfig, if not its current one',
  },
  load: { ...sourceOptions.load, group: nowhere, meaning: 'a dump of a cluster' },
  'load-workload': {
    ...sourceOptions['load-workload'],
    group: nowhere,
    meaning: 'the same of a workload cluster',
  },
  example: { ...sourceOptions.example, group: nowhere, meaning: 'an example fleet' },
} as const satisfies ToldOptions;

/** The table that the user names, with what AWS's own settings do not say. */
export interface NamedTable {
  table?: string;
  endpoint?: string;
  region?: string;
}

/** Where the history is looked for. */
export interface ArchivePlaces {
  named: NamedTable;
  source: LookSource;
  /** Where the kubeconfig was named by an option: what is wrong with it is a mistake then. */
  isSourceSaid: boolean;
  /** The namespace that the functions are installed in. */
  installedIn: string;
}

export interface HistoryOptions extends ArchivePlaces, Asking {
  /** Entries before this are left out. */
  since: Instant | undefined;
  form: Form;
}

/** Throws UsageError. */
export function readHistoryOptions(args: readonly string[], now: Instant): HistoryOptions {
  const { values, rest } = parseArguments(args, historyOptions);
  const { node, pod, since: ago } = values;
  const isNamed = [node, pod, ago].every((one) => one === undefined);
  const [machine = isNamed ? lastListed(args, values) : undefined, ...stray] = rest;
  refuseStray(stray);
  const within = namespaceOf(values);
  const since = ago === undefined ? undefined : now - agoOf(ago);
  refuseEmpty({ node });
  return {
    ...askedFor({ machine, node, pod, since, ago, within }),
    ...archivePlacesOf(values),
    since,
    form: values.output ?? 'text',
  };
}

type PlaceValues = Parameters<typeof lookSourceOf>[0] & ValuesOf<typeof archiveOptions>;

/** Where the history is looked for, by the options of a command. Throws UsageError. */
export function archivePlacesOf(values: PlaceValues): ArchivePlaces {
  const { table, endpoint, region, kubeconfig, context, 'installed-in': installedIn } = values;
  refuseEmpty({ table, region, 'installed-in': installedIn });
  return {
    named: compact({ table, endpoint: endpoint === undefined ? undefined : urlOf(endpoint), region }),
    source: lookSourceOf(values),
    isSourceSaid: kubeconfig !== undefined || context !== undefined,
    installedIn: installedIn ?? 'phaseout',
  };
}

function urlOf(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(`--endpoint takes the URL of a store, not ${JSON.stringify(text)}`);
}

function refuseEmpty(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values))
    if (value === '') throw new UsageError(`--${name} takes a name`);
}
