import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { effectOf } from '../invariants/sight/effect.ts';
import { witnessOf } from '../invariants/sight/witness.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { World } from '../world.ts';
import { ailing, drainPolicies } from './with-policies.ts';

/** The first thing that is done to a Machine that begins is the cordon of its Node. */
export const begunWithinLimits: Invariant = {
  name: 'no more Machines have begun at once than a DrainPolicy allows',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    /** By UID. */
    const begun = new Map<string, MachinePlan>();
    return {
      before: (exchange) => void effectOf(exchange, witness),
      after(exchange, { code }) {
        const effect = effectOf(exchange, witness);
        const { plan, machine } = effect ?? {};
        if (effect?.kind !== 'cordon' || code >= 300 || plan === undefined || machine === undefined) return;
        begun.set(machine.metadata.uid ?? '', plan);
        for (const [uid, other] of begun) if (!isThere(world, other, uid)) begun.delete(uid);
        const here = [...begun.values()].filter(({ namespace }) => namespace === plan.namespace);
        const limit = limitIn(world, plan.namespace);
        const names = here.map(({ name }) => name).join(', ');
        if (here.length > limit) violated(`${names} have begun, and ${limit} may`);
        const notReady = ailingBeside(world, plan);
        if (notReady > 0 && here.length + notReady > limit)
          violated(`${names} have begun beside a Node that is not Ready, and ${limit} may`);
      },
    };
  },
};

const isThere = ({ management }: World, { resource, namespace, name }: MachinePlan, uid: string): boolean =>
  management.get(resource, namespace, name)?.metadata.uid === uid;

/** How many living Machines of its namespace have a Node that is not Ready. None of those that are deleted says that of its own. */
const ailingBeside = ({ management }: World, { resource, namespace }: MachinePlan): number =>
  management
    .list(resource)
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.name === ailing)
    .filter((machine) => {
      const shown = recordAt(machine, 'status')['conditions'];
      return Array.isArray(shown) && shown.some((each) => textAt(each, 'status') === 'False');
    }).length;

/** The least of all policies of the namespace: each of them is for all of its Machines. */
const limitIn = ({ management }: World, namespace: string): number =>
  Math.min(
    ...management
      .list(drainPolicies)
      .filter(({ metadata }) => metadata.namespace === namespace)
      .map((policy) => Number(recordAt(policy, 'spec')['maxUnavailable'])),
  );
