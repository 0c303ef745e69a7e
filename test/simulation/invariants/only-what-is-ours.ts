import { management } from '../platform/clusters.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { Invariant } from './invariant.ts';
import type { Effect, EffectKind } from './sight/effect.ts';
import { judging, judgingRequests, judgingServers } from './sight/judging.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const belonging: readonly EffectKind[] = [
  ...(['evict', 'cordon', 'delete Node', 'delete infrastructure', 'delete bootstrap'] as const),
  ...(['take finalizer'] as const),
];

export const onlyOfDeletedMachines: Invariant = {
  name: 'only what belongs to a Machine that is being deleted is touched, and nothing that lives',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return {
      ...judging(
        witness,
        belonging,
        ({ plan, actor, object }) => {
          if (object === undefined) return undefined;
          if (plan === undefined) return 'it belongs to no Machine';
          return wasDeleted(witness, actor, plan) ? undefined : livingWords(plan);
        },
        violated,
      ),
      ...judgingServers(
        witness,
        ({ plan }) => {
          const machine = machineIn(witness.past.present, plan);
          return machine === undefined || isDeleting(machine) ? undefined : livingWords(plan);
        },
        violated,
      ),
    };
  },
};

const livingWords = (plan: MachinePlan): string => `${titleOf(plan)} lives`;

const wasDeleted = (witness: Witness, actor: Effect['actor'], plan: MachinePlan): boolean =>
  witness.wasSoLately(actor, [machineRead(plan)], (view) => {
    const machine = machineIn(view, plan);
    return machine !== undefined && isDeleting(machine);
  });

const besideNodes = new Set<EffectKind>(['evict', 'cordon', 'delete Node', 'Lease']);

export const onlyTheRightCluster: Invariant = {
  name: "another cluster's objects are never written",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      ({ kind, uid, object, exchange }) => {
        if (!besideNodes.has(kind))
          return exchange.host === management
            ? undefined
            : 'this is written where Machines are, and nowhere else';
        if (kind === 'Lease') return undefined;
        const elsewhere = scenario.machines.find(
          ({ host, node = '' }) =>
            host !== exchange.host && world.cluster(host).get('nodes', undefined, node)?.metadata.uid === uid,
        );
        return elsewhere !== undefined && object !== undefined && object.metadata.uid !== uid
          ? `the UID that it names is that of Node ${elsewhere.node} in ${elsewhere.host}`
          : undefined;
      },
      violated,
    );
  },
};
