import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi, isOriginal } from '../../stories/stage/apis.ts';
import { management } from '../platform/clusters.ts';
import type { Invariant } from './invariant.ts';
import { farGrace, wasSoAround } from './sight/apart.ts';
import { judging } from './sight/judging.ts';
import { machineIn, whyClusterEnds } from './sight/machine.ts';
import type { View } from './sight/past.ts';
import { sendsPodsAway } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

export const nodesThatStay: Invariant = {
  name: 'a Node is left alone when its cluster goes, or has no control plane but it',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['cordon', ...sendsPodsAway, 'delete Node'],
      ({ plan, machine, actor }) => {
        if (plan === undefined || machine === undefined) return undefined;
        const mayBeTouched = wasSoAround(
          witness,
          { actor, plan, machine },
          (view) => !isToStay(view, machineIn(view, plan) ?? machine),
          farGrace,
        );
        return mayBeTouched ? undefined : 'its cluster goes, or has no control plane but it';
      },
      violated,
    );
  },
};

const isToStay = (view: View, machine: KubeObject): boolean =>
  isClusterApi(machine)
    ? whyClusterEnds(view, machine) !== undefined
    : isOriginal(machine) && isLastMember(view, machine);

/** The original API counts those that are being deleted too. */
function isLastMember(view: View, { metadata: { namespace, uid, labels = {} } }: KubeObject): boolean {
  const name = labels['cluster.k8s.io/cluster-name'];
  if (name === undefined) return true;
  const members = view
    .list(management, 'machines.cluster.k8s.io')
    .filter(({ metadata }) => metadata.namespace === namespace)
    .filter(({ metadata }) => metadata.labels?.['cluster.k8s.io/cluster-name'] === name)
    .filter((each) => textAt(each, 'spec', 'versions', 'controlPlane') !== undefined);
  return members.every(({ metadata }) => metadata.uid === uid);
}
