import { isOpenShift } from '../../stories/stage/apis.ts';
import { leases, ownLease } from '../platform/hook-watchdog.ts';
import { hasOurHook } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { whyHeldBack } from './sight/held-back.ts';
import { isDeleting } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

const limitMilliseconds = 30 * 60_000;

/** A hook that goes while phaseout drains leaves two who are at it. */
export const deadManWaits: Invariant = {
  name: 'the hook watchdog takes our hook off Machines that are being deleted, and only while nobody has renewed our Lease for half an hour',
  watch(world, scenario, violated) {
    const { past } = witnessOf(world, scenario);
    let renewedAt = world.now();
    world.management.watch(leases, ({ type, object }) => {
      if (object.metadata.name === ownLease.name && type !== 'DELETED') renewedAt = world.now();
    });
    const isMissing = (): boolean =>
      world.management.get(leases, ownLease.namespace, ownLease.name) === undefined;
    /** By process: whether phaseout was gone when it looked at the Lease last. */
    const seen = new Map<string, boolean>();
    const wrongWith = ({ instance, resource, namespace, name }: Exchange): string | undefined => {
      if (seen.get(instance) !== true) return 'the Lease was fresh when it looked';
      const machine = past.present.get('management', resource, namespace, name);
      if (machine === undefined || !hasOurHook(machine)) return undefined;
      if (!isDeleting(machine)) return 'it lives';
      return isOpenShift(machine) ? whyHeldBack(past.present, machine) : undefined;
    };
    let wrong: string | undefined;
    return {
      before(exchange) {
        wrong = undefined;
        if (!exchange.instance.startsWith('dead-man')) return;
        if (exchange.verb === 'get' && exchange.resource === leases)
          seen.set(exchange.instance, isMissing() || world.now() - renewedAt >= limitMilliseconds);
        if (exchange.verb === 'patch') wrong = wrongWith(exchange);
      },
      after({ instance, namespace, name }, { code }) {
        if (wrong !== undefined && code < 300)
          violated(`${instance} takes our hook off Machine ${namespace}/${name}: ${wrong}`);
        wrong = undefined;
      },
    };
  },
};
