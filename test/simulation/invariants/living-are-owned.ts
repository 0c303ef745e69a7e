import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { clusterOf } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { clusterRead, type Witness, witnessOf } from './sight/witness.ts';

const owningKinds = ['MachineSet', 'MachineDeployment', 'Cluster'];

/**
 * The Cluster is read first, and a few requests may follow to a slow API until the Machine is written. Meanwhile the same
 * instance reads the Cluster for others too, and knows better there alone.
 */
const knownMilliseconds = 120_000;

/** The deletion of a Cluster takes its Machines along by this reference. No other field says whose they are. */
export const livingAreOwned: Invariant = {
  name: 'a Machine of v1alpha1 that phaseout takes hold of is owned by its Cluster, and by whom it was before',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(witness, ['write Machine'], (effect) => wrongWith(effect, witness), violated);
  },
};

function wrongWith({ exchange, plan, object, actor }: Effect, witness: Witness): string | undefined {
  const written = recordAt(exchange.body, 'metadata');
  if (plan?.api !== 'v1alpha1' || object === undefined || written['finalizers'] === undefined)
    return undefined;
  const before = object.metadata.ownerReferences ?? [];
  const after = listIn(written['ownerReferences'] ?? before);
  const lost = before.find(({ uid }) => !after.some((owner) => textAt(owner, 'uid') === uid));
  if (lost !== undefined) return `its owner ${lost.kind} ${lost.name} is taken off`;
  const ownerOf = (cluster: KubeObject | undefined): boolean =>
    cluster === undefined
      ? after.length === before.length
      : after.some((owner) => textAt(owner, 'uid') === cluster.metadata.uid) || before.some(isOfItsApi);
  const isRight = witness.wasSoLately(
    actor,
    [clusterRead(object)],
    (view) => ownerOf(clusterOf(view, object)),
    knownMilliseconds,
  );
  return isRight
    ? undefined
    : `its owners are ${after.map((owner) => textAt(owner, 'name')).join(', ') || 'none'}`;
}

const isOfItsApi = ({ apiVersion, kind }: { apiVersion: string; kind: string }): boolean =>
  apiVersion === 'cluster.k8s.io/v1alpha1' && owningKinds.includes(kind);

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
