import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { conditionIn, conditionsOf } from '../../stories/stage/told-machine.ts';
import { hasOurHook, isBeside } from '../scenario/beside.ts';
import type { Invariant } from './invariant.ts';
import { isDeleting, isNodeForbidden, keyOf, titleOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** By the status of Cluster API's own controller. It reports at once that it asks for the end of the server. */
export const serversWaitForUs: Invariant = {
  name: 'no server goes with our hook on its Machine, unless Cluster API minds no such hook there',
  watch(world, scenario, violated) {
    const { present } = witnessOf(world, scenario).past;
    const known = new Map<string, string>();
    for (const resource of new Set(scenario.machines.map((plan) => plan.resource)))
      world.management.watch(resource, ({ object }) => {
        const { namespace = '', name, uid = '' } = object.metadata;
        const plan = scenario.machines.find((each) => keyOf(each) === keyOf({ resource, namespace, name }));
        if (plan?.api !== 'capi' || !isBeside(world, plan)) return;
        // One that is made again may have the status of the one before.
        const [before, after] = [known.get(uid), reasonOf(object)];
        known.set(uid, after);
        if (!isDeleting(object)) return;
        if (after === before || after !== 'WaitingForInfrastructureDeletion' || !hasOurHook(object)) return;
        if (!isNodeForbidden(present, object)) violated(`that of ${titleOf(plan)} goes`);
      });
    return {};
  },
};

const reasonOf = (machine: KubeObject): string =>
  textAt(conditionIn(conditionsOf(machine), 'Deleting'), 'reason') ?? '';
