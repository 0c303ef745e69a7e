import type { Dialect } from '../dialects/dialect.ts';
import { askingAt, goesByCluster, selectHooks, withoutClusters } from '../hooks/deletion-hook.ts';
import { readOr } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import { hooksAgeMilliseconds } from '../phase/hooks.ts';
import type { Environment } from '../runtime/environment.ts';
import { ownObjectsIn } from './own-objects.ts';
import { readCluster } from './surroundings.ts';

const place = 'PreTerminate';

/** What DeletionHooks ask of a Machine before the end of its server. Undefined where that cannot be told now. */
type Asking = { names: readonly string[]; isAny: boolean } | undefined;

const nothing = { names: [], isAny: false };

/** Who is asked for the Machine before the end of its server, by the DeletionHooks that there are now. */
export function askedBeforeTheEnd(env: Environment, machine: Machine, dialect: Dialect): Promise<Asking> {
  return readOr<Asking>(undefined, async () => {
    const { namespace } = machine.ref;
    const objects = await ownObjectsIn({ kind: 'DeletionHook', namespace }, env, hooksAgeMilliseconds);
    const asking = askingAt(objects ?? [], place);
    if (asking.length === 0) return nothing;
    const cluster = goesByCluster(asking)
      ? await readCluster(env, machine, dialect, 'its labels are unknown')
      : undefined;
    return selectedOf(asking, machine, cluster?.metadata.labels);
  });
}

/** What is said where DeletionHooks have come too late for a Machine: no hook of ours holds it for them. */
export async function lateBeforeTheEnd(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<string | undefined> {
  const { beside } = dialect;
  if (beside?.isLate(machine, place) !== true) return undefined;
  const { names = [] } = (await askedBeforeTheEnd(env, machine, dialect)) ?? {};
  if (names.length === 0) return undefined;
  const hook = beside.hooks[place].name;
  return `its deletion began before the hook ${hook} was on it: DeletionHook ${names.join(', ')} asks nothing`;
}

function selectedOf(
  asking: readonly KubeObject[],
  { labels, isControlPlane }: Machine,
  clusterLabels: Readonly<Record<string, string>> = {},
): NonNullable<Asking> {
  const { hooks, unclear } = selectHooks(asking, place, { labels, clusterLabels, isControlPlane });
  return { names: hooks.map(({ name }) => name), isAny: hooks.length + unclear.length > 0 };
}

/** By what a list of Machines is judged, with no read for each. */
export interface AskingHooks {
  /** Whether one may ask for the Machine. `isSure`: no label of its Cluster decides that. */
  mayAsk(machine: Machine): { isAny: boolean; isSure: boolean };
}

/** Of all DeletionHooks those that ask before the end of a server. What they say of one Machine then costs no list. */
export function askingHooksOf(objects: readonly KubeObject[]): AskingHooks {
  const byNamespace = Map.groupBy(askingAt(objects, place), ({ metadata }) => metadata.namespace ?? '');
  return { mayAsk: (machine) => mayAskOf(byNamespace.get(machine.ref.namespace) ?? [], machine) };
}

function mayAskOf(asking: readonly KubeObject[], machine: Machine): { isAny: boolean; isSure: boolean } {
  if (asking.length === 0) return { isAny: false, isSure: true };
  return { ...selectedOf(withoutClusters(asking), machine), isSure: !goesByCluster(asking) };
}
