import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { isOriginal } from '../../stories/stage/apis.ts';
import { isBeside } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { whyTooLate } from './sight/gate.ts';
import { judgingCheckpoints } from './sight/judging.ts';
import {
  isDeleting,
  isDrainExcluded,
  isForeign,
  isNodeForbidden,
  isVolumeWaitExcluded,
  machineIn,
} from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { witnessOf } from './sight/witness.ts';

export const causesAreTrue: Invariant = {
  name: 'a phase is skipped as excluded or not applicable only for a cause that is so',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingCheckpoints(
      witness,
      ({ plan, machine, newlyPassed }, { actor }) => {
        for (const [phase, how] of newlyPassed) {
          // Cluster API's own controller waits for volumes itself, where nothing is drained.
          const isLeft = isBeside(world, plan) && how === 'excluded' && phase === 'volume-detach';
          const cause = isLeft ? isEitherExcluded : causes[how]?.[phase];
          if (cause === undefined) continue;
          const isTrue = wasSoAround(
            witness,
            { actor, plan, machine },
            (view) => {
              const seen = machineIn(view, plan) ?? machine;
              return (
                cause(seen, view, plan) || (phase === 'node' && isUnlisted(world.config, seen, view, plan))
              );
            },
            farGrace,
          );
          if (!isTrue) return `${phase} is said to be ${how}, and nothing makes it so`;
        }
        return undefined;
      },
      violated,
    );
  },
};

type Cause = (machine: KubeObject, view: View, plan: MachinePlan) => boolean;

/** The gate before drain and volumes. */
const isShut: Cause = (machine, view, plan) =>
  isNodeForbidden(view, machine) ||
  whyTooLate(view, machine) !== undefined ||
  isAnothers(machine, view, plan);

/** Whose Node stays. Also where the original API counts too few members, or the keys of its cluster are lost. */
const isNodeLeft: Cause = (machine, view, plan) => {
  if (isNodeForbidden(view, machine) || isAnothers(machine, view, plan)) return true;
  if (!isOriginal(machine)) return false;
  const { namespace = '', labels = {} } = machine.metadata;
  const cluster = labels['cluster.k8s.io/cluster-name'];
  const members = view
    .list('management', plan.resource)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .filter(({ metadata }) => metadata.labels?.['cluster.k8s.io/cluster-name'] === cluster)
    .filter((each) => textAt(each, 'spec', 'versions', 'controlPlane') !== undefined);
  const isMember = members.some(({ metadata }) => metadata.uid === machine.metadata.uid);
  // Members that leave side by side are counted as if they went one after the other.
  const staying = members.filter((each) => !isDeleting(each) || each.metadata.uid === machine.metadata.uid);
  if (cluster === undefined || staying.length <= (isMember ? 1 : 0)) return true;
  const secret = view.get('management', 'secrets', namespace, `${cluster}-kubeconfig`);
  const text = Buffer.from(textAt(secret, 'data', 'value') ?? '', 'base64').toString();
  return !text.includes(`https://${plan.host}`);
};

const isAnothers: Cause = (machine, view, { host, node = '' }) => {
  const found = view.get(host, 'nodes', undefined, node);
  return found !== undefined && isForeign(machine, found);
};

/** Machines of other namespaces may have the same providerID: where they are not looked at, only the UID proves. */
function isUnlisted(
  { namespaces }: { namespaces: readonly string[] },
  machine: KubeObject,
  view: View,
  { api, host, node = '' }: MachinePlan,
): boolean {
  const found = view.get(host, 'nodes', undefined, node);
  if (api !== 'openshift' || namespaces.length === 0 || found === undefined) return false;
  return textAt(machine, 'status', 'nodeRef', 'uid') !== found.metadata.uid;
}

const isForbidden: Cause = (machine, view) => isNodeForbidden(view, machine);

const isEitherExcluded: Cause = (machine) => isVolumeWaitExcluded(machine) || isDrainExcluded(machine);

const causes: Readonly<Record<string, Readonly<Record<string, Cause>>>> = {
  excluded: { drain: isDrainExcluded, 'volume-detach': isVolumeWaitExcluded },
  'not-applicable': { 'pre-drain': isForbidden, drain: isShut, 'volume-detach': isShut, node: isNodeLeft },
};
