import { nameOf } from '../story/news.ts';
import { titleOfOurs } from './due-is-looked-at.ts';
import type { Invariant } from './invariant.ts';
import { effectOf } from './sight/effect.ts';
import { looksIn } from './sight/on-record.ts';
import { watchTrouble } from './sight/trouble.ts';
import { witnessOf } from './sight/witness.ts';

/** By then the instance that let it go has long forgotten it. */
const forgottenMilliseconds = 2_000;
/**
 * A sweep that read the Machine before may set a look after it was let go, once. A sweep takes this long, or this many
 * requests.
 */
const sweepMilliseconds = 3_000;
const requestsOfSweeps = 40;

interface LetGo {
  title: string;
  at: number;
  isHandedOver: boolean;
}

/** Of one instance that nothing has disturbed: another one may be in the midst of a look. */
export const letGoForGood: Invariant = {
  name: 'whoever lets a Machine go does not leave a look at it behind',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const letGo = new Map<string, LetGo>();
    const sweep = Math.max(sweepMilliseconds, requestsOfSweeps * scenario.world.latencyMilliseconds);
    const trouble = watchTrouble(world, () => letGo.clear());
    let sweptAt = -Infinity;
    return {
      hit: trouble.hit,
      calm: trouble.calm,
      // An instance that runs on a Machine ends then, before it has forgotten what it has just let go.
      stoodStill: () => letGo.clear(),
      after(exchange, { code }) {
        if (!trouble.isOver() || code >= 300 || !Array.isArray(exchange.body)) return;
        const effect = effectOf(exchange, witness);
        const isHandedOver = effect?.kind === 'hand over';
        const isLetGo = effect?.kind === 'take finalizer' || isHandedOver;
        if (!isLetGo || effect?.machine === undefined) return;
        const [title, at] = [nameOf(effect.machine), world.now()];
        if (at - sweptAt > sweep) letGo.set(effect.actor.machineUid, { title, at, isHandedOver });
      },
      event({ attributes }) {
        if (attributes['type'] === 'dev.knative.sources.ping') sweptAt = world.now();
        if (world.instances().length > 1) return;
        for (const [uid, { title, at, isHandedOver }] of letGo) {
          if (world.now() - at < forgottenMilliseconds) continue;
          letGo.delete(uid);
          // Another hook of ours may hold it, before the end of its server.
          if (isHandedOver && titleOfOurs(witness, uid) !== undefined) continue;
          // An event that came late has a step begin, which finds that there is nothing to do.
          const isDue = looksIn(world).some((look) => look.machineUid === uid && !look.isClaimed);
          if (isDue) violated(`a look at Machine ${title} is still due, and it was let go`);
        }
      },
    };
  },
};
