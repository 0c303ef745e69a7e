import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isCordoned } from '../../stories/stage/sights.ts';
import type { World } from '../world.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { effectOf } from './sight/effect.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { looksIn } from './sight/on-record.ts';
import { witnessOf } from './sight/witness.ts';

export const nothingLeftBehind: Invariant = {
  name: 'nothing is left behind of Machines that are gone',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { reads } = witness;
    const cordoned = new Map<string, string>();
    let isDisturbed = false;
    const end = atTheEnd(world, () => {
      // By a clock that was ahead a Lease lasts for longer; who wants it knows that.
      const leases = reads.haveClocksJumped() ? [] : leasesLeft(world);
      const all = [
        ...looksLeft(world, isDisturbed || reads.haveClocksJumped()),
        ...leases,
        ...watchesLeft(world),
      ];
      for (const left of all) violated(left);
      for (const plan of scenario.machines) {
        const machine = machineIn(witness.past.present, plan);
        const node = witness.past.present.get(plan.host, 'nodes', undefined, plan.node ?? '');
        if (machine === undefined || node === undefined || isDeleting(machine)) continue;
        // One of the same name may have taken over the Node of a Machine that is gone.
        if (isCordoned(node) && cordoned.get(node.metadata.uid ?? '') === machine.metadata.uid)
          violated(`Node ${plan.node} is still cordoned, and its ${titleOf(plan)} lives`);
      }
    });
    return {
      ...end,
      hit() {
        isDisturbed = true;
      },
      quiet() {
        end.quiet();
        isDisturbed ||= world.instances().length > 1;
      },
      after(exchange, { code }) {
        if (exchange.resource !== 'nodes' || code >= 300) return;
        const effect = effectOf(exchange, witness);
        // What was long on its way may be for one of the same name that is gone by now.
        const madeAt = Date.parse(effect?.machine?.metadata.creationTimestamp ?? '');
        if (reads.leftAt(exchange) < madeAt) return;
        if (effect?.kind === 'cordon') cordoned.set(effect.uid ?? '', effect.actor.machineUid);
      },
    };
  },
};

/** What is overdue for longer should have been found by a sweep. */
const sweptMilliseconds = 30_000;

/**
 * A living Machine of v1alpha1 may have another look. An instance may set a look after another one has let the Machine
 * go. The sweep that finds such a look due forgets it.
 */
function looksLeft(world: World, isDisturbed: boolean): string[] {
  const living = new Set(
    world.management
      .resources()
      .filter((resource) => resource.startsWith('machines.'))
      .flatMap((resource) => world.management.list(resource))
      .map(({ metadata }) => metadata.uid ?? ''),
  );
  return looksIn(world)
    .filter(({ at }) => !isDisturbed || at < world.now() - sweptMilliseconds)
    .filter(({ machineUid }) => !living.has(machineUid))
    .map(({ machineUid }) => `a look at Machine ${machineUid}, which is gone, is still due`);
}

/** One whose holder has vanished expires by itself. */
function leasesLeft(world: World): string[] {
  return [...world.clusters].flatMap(([host, { cluster }]) =>
    cluster
      .list('leases.coordination.k8s.io')
      .filter(({ metadata }) => metadata.name === 'phaseout-control-plane-cordon')
      .filter(({ spec }) => {
        const seconds = Number(recordAt(spec)['leaseDurationSeconds']);
        return Date.parse(textAt(spec, 'renewTime') ?? '') + seconds * 1_000 > world.now();
      })
      .map(({ metadata }) => `Lease ${metadata.namespace}/${metadata.name} of ${host} is held`),
  );
}

const watchesLeft = (world: World): string[] =>
  world
    .instances()
    .flatMap(({ name }) =>
      (world.wires.get(name)?.watches() ?? []).map(
        ({ exchange }) => `${name} still watches ${exchange.resource} of ${exchange.host}`,
      ),
    );
