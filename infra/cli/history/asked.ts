import type { Clue } from '../../../shared/store/clue.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { apiGroups } from '../api-names.ts';
import { asTyped, howNamed, type MachineName, mustBeWithin, parseMachineName } from '../machine-name.ts';

/** Which histories are asked for. */
export interface Wanted {
  clue: Clue;
  /** Of the Machine API, where one is named. */
  group?: string;
}

interface Asked extends Partial<Record<'machine' | 'node' | 'pod' | 'ago' | 'within', string | undefined>> {
  since: Instant | undefined;
}

export interface Asking {
  wanted: Wanted;
  /** The same in the words of the command line. */
  asked: string;
}

/** Throws UsageError. */
export function askedFor({ machine, node, pod, since, ago, within }: Asked): Asking {
  const given = [machine, node, pod].filter((one) => one !== undefined);
  if (given.length > 1) throw new UsageError('a Machine, --node and --pod exclude each other');
  if (machine !== undefined)
    return within !== undefined || machine.includes('/') ? byName(machine, within) : byUid(machine);
  if (pod !== undefined) return byPod(pod, within);
  if (within !== undefined) throw new UsageError('--namespace is of a Machine or a Pod that is named');
  if (node !== undefined) return asking({ kind: 'node', node }, `Node ${node}`);
  if (since !== undefined) return asking({ kind: 'since', at: since }, `the last ${ago}`);
  throw new UsageError('history needs the NAMESPACE/NAME or UID of a Machine, --node, --pod or --since');
}

const asking = (clue: Clue, asked: string): Asking => ({ wanted: { clue }, asked });

function byName(text: string, within?: string): Asking {
  const named = parseMachineName(text, within);
  return { wanted: historiesOf(named), asked: `Machine ${asTyped(named)}` };
}

/** Those of all Machines that had this name. */
export const historiesOf = ({ api, namespace, name }: MachineName): Wanted => ({
  clue: { kind: 'name', namespace, name },
  ...(api !== undefined && { group: apiGroups[api] }),
});

function byUid(text: string): Asking {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new UsageError(`${howNamed}, or by its UID, not ${JSON.stringify(text)}`);
  return asking({ kind: 'uid', uid: text.toLowerCase() }, `the Machine of UID ${text}`);
}

function byPod(text: string, within?: string): Asking {
  const parts = within === undefined || text.includes('/') ? text.split('/') : [within, text];
  const [namespace = '', name = '', ...more] = parts;
  if (namespace === '' || name === '' || more.length > 0)
    throw new UsageError(`--pod takes the NAMESPACE/NAME of a Pod, not ${JSON.stringify(text)}`);
  mustBeWithin(within, namespace, text);
  return asking({ kind: 'pod', namespace, name }, `Pod ${namespace}/${name}`);
}

const units: Readonly<Record<string, number>> = {
  d: 24 * 60 * 60 * 1_000,
  h: 60 * 60 * 1_000,
  m: 60 * 1_000,
  s: 1_000,
};

/** Milliseconds of `2h`, `1h30m` or `3d`. Throws UsageError. */
export function agoOf(text: string): number {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  if (!isWhole)
    throw new UsageError(`--since takes a time such as 30m, 2h or 3d, not ${JSON.stringify(text)}`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0);
}
