import type { Clue } from '../../../shared/store/clue.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import { compact } from '../../local/kubernetes/server/json.ts';
import {
  isJson,
  type OptionsConfig,
  parseArguments,
  refuseStray,
  type ValuesOf,
} from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { apiGroups } from '../api-names.ts';
import { type LookSource, lookSourceOf } from '../look/options.ts';
import { asTyped, parseMachineName } from '../machine-name.ts';
import { sourceOptions } from '../options.ts';

/** Where the history is. */
export const archiveOptions = {
  table: { type: 'string' },
  endpoint: { type: 'string' },
  region: { type: 'string' },
  'installed-in': { type: 'string' },
} as const satisfies OptionsConfig;

export const historyOptions = {
  ...sourceOptions,
  node: { type: 'string' },
  pod: { type: 'string' },
  since: { type: 'string' },
  ...archiveOptions,
} as const satisfies OptionsConfig;

/** The table that the user names, with what AWS's own settings do not say. */
export interface NamedTable {
  table?: string;
  endpoint?: string;
  region?: string;
}

/** Which histories are asked for. */
interface Wanted {
  clue: Clue;
  /** Of the Machine API, where one is named. */
  group?: string;
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

export interface HistoryOptions extends ArchivePlaces {
  wanted: Wanted;
  /** What is asked for, in the words of the command line. */
  asked: string;
  /** Entries before this are left out. */
  since: Instant | undefined;
  json: boolean;
}

/** Throws UsageError. */
export function readHistoryOptions(args: readonly string[], now: Instant): HistoryOptions {
  const { values, rest } = parseArguments(args, historyOptions);
  const [machine, ...stray] = rest;
  refuseStray(stray);
  const { node, pod, since: ago } = values;
  const since = ago === undefined ? undefined : now - agoOf(ago);
  refuseEmpty({ node });
  return {
    ...askedFor({ machine, node, pod, since, ago }),
    ...archivePlacesOf(values),
    since,
    json: isJson(values.output),
  };
}

type PlaceValues = Parameters<typeof lookSourceOf>[0] & ValuesOf<typeof archiveOptions>;

/** Where the history is looked for, by the options of a command. Throws UsageError. */
export function archivePlacesOf(values: PlaceValues): ArchivePlaces {
  const { table, endpoint, region, kubeconfig, context, 'installed-in': installedIn } = values;
  refuseEmpty({ table, region, 'installed-in': installedIn });
  return {
    named: compact({ table, endpoint: endpoint === undefined ? undefined : urlOf(endpoint), region }),
    source: lookSourceOf(values, 'cluster'),
    isSourceSaid: kubeconfig !== undefined || context !== undefined,
    installedIn: installedIn ?? 'phaseout',
  };
}

interface Asked extends Partial<Record<'machine' | 'node' | 'pod' | 'ago', string | undefined>> {
  since: Instant | undefined;
}

type Asking = Pick<HistoryOptions, 'wanted' | 'asked'>;

function askedFor({ machine, node, pod, since, ago }: Asked): Asking {
  const given = [machine, node, pod].filter((one) => one !== undefined);
  if (given.length > 1) throw new UsageError('a Machine, --node and --pod exclude each other');
  if (machine !== undefined) return machine.includes('/') ? byName(machine) : byUid(machine);
  if (node !== undefined) return asking({ kind: 'node', node }, `Node ${node}`);
  if (pod !== undefined) return byPod(pod);
  if (since !== undefined) return asking({ kind: 'since', at: since }, `the last ${ago}`);
  throw new UsageError('history needs the NAMESPACE/NAME or UID of a Machine, --node, --pod or --since');
}

const asking = (clue: Clue, asked: string): Asking => ({ wanted: { clue }, asked });

function byName(text: string): Asking {
  const named = parseMachineName(text);
  const { api, namespace, name } = named;
  const { wanted, asked } = asking({ kind: 'name', namespace, name }, `Machine ${asTyped(named)}`);
  return { wanted: { ...wanted, ...(api !== undefined && { group: apiGroups[api] }) }, asked };
}

function byUid(text: string): Asking {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new UsageError(`a Machine is named NAMESPACE/NAME, or by its UID, not ${JSON.stringify(text)}`);
  return asking({ kind: 'uid', uid: text.toLowerCase() }, `the Machine of UID ${text}`);
}

function byPod(text: string): Asking {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (namespace === '' || name === '' || more.length > 0)
    throw new UsageError(`--pod takes the NAMESPACE/NAME of a Pod, not ${JSON.stringify(text)}`);
  return asking({ kind: 'pod', namespace, name }, `Pod ${text}`);
}

function urlOf(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(`--endpoint takes the URL of a store, not ${JSON.stringify(text)}`);
}

function refuseEmpty(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values))
    if (value === '') throw new UsageError(`--${name} takes a name`);
}

const units: Readonly<Record<string, number>> = {
  d: 24 * 60 * 60 * 1_000,
  h: 60 * 60 * 1_000,
  m: 60 * 1_000,
  s: 1_000,
};

/** Milliseconds of `2h`, `1h30m` or `3d`. Throws UsageError. */
function agoOf(text: string): number {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  if (!isWhole)
    throw new UsageError(`--since takes a time such as 30m, 2h or 3d, not ${JSON.stringify(text)}`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0);
}
