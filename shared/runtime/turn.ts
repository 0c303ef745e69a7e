import { checkpointAnnotation } from '../machine/checkpoint.ts';
import type { Advance } from '../machine/messages.ts';
import type { Environment, StepResult } from './environment.ts';

/** What has begun goes before what has not: of many deletions each is done soon after its first eviction. */
const ranks = { begun: 0, new: 1 };

/**
 * Runs a step when its turn has come. Where too many wait for theirs already, a deletion that has not begun waits in the
 * store, and is taken by a sweep that has room for it: undefined then.
 * @param group the workload cluster, as far as it is known
 */
export async function inTurn(
  env: Environment,
  { machine, seq }: Advance,
  group: string | undefined,
  run: () => Promise<StepResult | undefined>,
): Promise<StepResult | undefined> {
  const { places } = env;
  if (places === undefined) return run();
  const seen = env.cache.machine(machine.uid)?.raw.metadata.annotations ?? {};
  const isBegun = seq > 0 || checkpointAnnotation in seen;
  if (isBegun || places.room() > 0)
    return places.run({ rank: isBegun ? ranks.begun : ranks.new, group }, run);
  const at = env.clock.now();
  await env.store.schedule({ machine, at, failures: 0, isProvisional: true, isOfDeletion: true });
  if (env.store.isAvailable?.() === false) return places.run({ rank: ranks.new, group }, run);
  if (env.cache.notes(machine.uid).waitsForTurn === undefined) {
    env.cache.note(machine.uid, { waitsForTurn: true });
    env.log.info('Deletion waits for its turn: others are under way');
  }
  env.metrics.count('turnsPutOff', {});
  return undefined;
}
