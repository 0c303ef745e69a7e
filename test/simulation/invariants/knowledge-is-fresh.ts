import { isClusterApi } from '../../stories/stage/apis.ts';
import type { Invariant } from './invariant.ts';
import { judging } from './sight/judging.ts';
import { titleOf } from './sight/machine.ts';
import { type EffectKind, sendsPodsAway } from './sight/seen-effect.ts';
import { watchTrouble } from './sight/trouble.ts';
import { clusterRead, machineRead, witnessOf } from './sight/witness.ts';

const milliseconds = 10_000;
/** What says that Machines are paused is read in a step, or was a moment before it for another one. */
const clusterMilliseconds = 2_000;
const requestsBefore = 10;

/** The finalizer goes by a patch that names the version of the Machine: the server tests how fresh it is. */
const kinds: readonly EffectKind[] = [
  ...sendsPodsAway,
  'cordon',
  'delete Node',
  'delete infrastructure',
  'delete bootstrap',
];

export const knowledgeIsFresh: Invariant = {
  name: 'whoever acts has read the Machine in this step, or not long ago, and so its Cluster',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const trouble = watchTrouble(world);
    const remembered = clusterMilliseconds + requestsBefore * scenario.world.latencyMilliseconds;
    const judge = judging(
      witness,
      kinds,
      (effect) => {
        const { plan, machine } = effect;
        if (plan === undefined) return undefined;
        if (!witness.reads.isFresh(effect, machineRead(plan), milliseconds))
          return `${titleOf(plan)} was not read for more than ${milliseconds / 1_000} s`;
        if (machine === undefined || !isClusterApi(machine) || !trouble.isOver()) return undefined;
        if (witness.reads.isFresh(effect, clusterRead(machine), remembered)) return undefined;
        return `the Cluster of ${titleOf(plan)} was not read for more than ${remembered / 1_000} s`;
      },
      violated,
    );
    return { ...judge, hit: trouble.hit, calm: trouble.calm };
  },
};
