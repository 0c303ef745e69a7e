import { conditionsFrom } from '../../../shared/dialects/conditions.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { isForeign, machineIn } from './sight/machine.ts';
import { sendsPodsAway } from './sight/seen-effect.ts';
import { nodeRead, witnessOf } from './sight/witness.ts';

/** A Node that takes the name of one that is being drained is noticed within this time. */
const grace = 6_000;

const saysTrue = (body: unknown): boolean =>
  conditionsFrom(recordAt(body, 'status')['conditions']).some(
    ({ type, status }) => ['DrainInProgress', 'Drained'].includes(type) && status === 'True',
  );

export const nodesAreOwn: Invariant = {
  name: 'no Node of another server is cordoned, and none of its Pods is evicted',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['cordon', ...sendsPodsAway, 'show drain'],
      ({ actor, plan, machine, kind, exchange }) => {
        if (plan?.node === undefined || machine === undefined) return undefined;
        // It was the Machine's own when its drain began. The sign of a drain that has ended must come off it.
        if (kind === 'show drain' && !saysTrue(exchange.body)) return undefined;
        const { host, node } = plan;
        const wasOwn = witness.wasSoLately(
          actor,
          [nodeRead(plan)],
          (view) => {
            const seen = view.get(host, 'nodes', undefined, node);
            return seen === undefined || !isForeign(machineIn(view, plan) ?? machine, seen);
          },
          grace,
        );
        return wasOwn ? undefined : `Node ${node} is of another server`;
      },
      violated,
    );
  },
};
