import { textAt } from '../../../shared/dialects/fields.ts';
import { management } from '../platform/clusters.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { nameOf } from '../story/news.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { judging, judgingRequests, judgingServers } from './sight/judging.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { type Effect, type EffectKind, sendsPodsAway } from './sight/seen-effect.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

const belonging: readonly EffectKind[] = [
  ...sendsPodsAway,
  ...(['cordon', 'show drain', 'delete Node'] as const),
  ...(['delete infrastructure', 'delete bootstrap'] as const),
  ...(['take finalizer', 'hand over', 'mark drained'] as const),
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

const besideNodes = new Set<EffectKind>([...sendsPodsAway, 'cordon', 'show drain', 'delete Node', 'Lease']);

export const onlyTheRightCluster: Invariant = {
  name: "another cluster's objects are never written",
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      (effect) => {
        if (besideNodes.has(effect.kind)) return elsewhere(effect, world);
        return effect.exchange.host === management || isAboutRestart(effect)
          ? undefined
          : 'this is written where Machines are, and nowhere else';
      },
      violated,
    );
  },
};

/** What was done to a Deployment is told beside it. */
const isAboutRestart = ({ kind, exchange: { body } }: Effect): boolean =>
  kind === 'Event' && textAt(body, 'involvedObject', 'kind') === 'Deployment';

const kindsOf: Partial<Record<EffectKind, readonly [resource: string, title: string]>> = {
  evict: ['pods', 'Pod'],
  'delete Pod': ['pods', 'Pod'],
  restart: ['deployments.apps', 'Deployment'],
};

/** Where what is meant is, if it is not where it is asked for. */
function elsewhere({ kind, uid, object, exchange }: Effect, { clusters }: World): string | undefined {
  if (uid === undefined || object?.metadata.uid === uid) return undefined;
  const [resource, title] = kindsOf[kind] ?? ['nodes', 'Node'];
  for (const [host, { cluster }] of clusters) {
    const meant = cluster.list(resource).find(({ metadata }) => metadata.uid === uid);
    if (meant !== undefined && host !== exchange.host)
      return `the UID that it names is that of ${title} ${nameOf(meant)} in ${host}`;
  }
  return undefined;
}
