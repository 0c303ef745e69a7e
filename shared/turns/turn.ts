import { workloadName } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { checkpointAnnotation } from '../machine/checkpoint.ts';
import type { Advance } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import { knownDialect } from '../read/machine.ts';
import type { Environment, Pending, StepResult } from '../runtime/environment.ts';

/** What has begun goes before what has not: of many deletions each is done soon after its first eviction. */
const ranks = { begun: 0, new: 1 };
/** As long as the quick tick takes. */
const again = { retryAfterSeconds: 5 };

/**
 * Runs a step of a Machine when its turn has come in this instance: one step of a Machine at a time, and of all Machines as
 * many as the API server bears. Commands for the same step run once. Throws where the workload cluster has its share.
 */
export async function withTurn(
  env: Environment,
  phase: Phase,
  command: Advance,
  run: (pending: Pending) => Promise<StepResult>,
): Promise<StepResult> {
  const { uid } = command.machine;
  const join = `${phase}|${command.seq}|${command.resourceVersion ?? ''}`;
  // A step that waits for its turn counts for its workload cluster, too.
  const workload = workloadNamed(env, env.cache.machine(uid)?.raw);
  reserveCapacity(env, workload);
  const result = await env.machineQueue.run(uid, join, async () => {
    const pending = env.pendingEvents.listen(command);
    try {
      return await whenThereIsRoom(env, command, workload, () => run(pending));
    } finally {
      pending.close();
    }
  });
  return result ?? { facts: [] };
}

/**
 * A deletion that has not begun, and finds too many waiting, is put off: undefined then.
 * @param group the workload cluster, as far as it is known
 */
export async function whenThereIsRoom(
  env: Environment,
  command: Advance,
  group: string | undefined,
  run: () => Promise<StepResult | undefined>,
): Promise<StepResult | undefined> {
  const { loadLimit } = env;
  if (loadLimit === undefined) return run();
  const isBegun = hasBegun(command, env.cache.machine(command.machine.uid)?.raw.metadata.annotations);
  if (!isBegun && (await loadLimit.arrive(() => isPutOff(env, command)))) return undefined;
  return loadLimit.run({ rank: isBegun ? ranks.begun : ranks.new, group }, run);
}

/** @param annotations of the Machine, as far as they are known */
export const hasBegun = ({ seq }: Advance, annotations: Readonly<Record<string, string>> = {}): boolean =>
  seq > 0 || checkpointAnnotation in annotations;

/**
 * Where too many steps wait for their turn, one more waits in the store, and is taken by a sweep that has room for it. Throws
 * Unavailable where the store is away as well: then its event comes again, or the sweep of everything finds it.
 */
export async function isPutOff(env: Environment, { machine }: Advance): Promise<boolean> {
  const { loadLimit, store, cache, clock } = env;
  if (loadLimit === undefined || loadLimit.room() > 0) return false;
  const at = clock.now();
  await store.schedule({ machine, at, failures: 0, isProvisional: true, isOfDeletion: true });
  if (store.isAvailable?.() === false) throw new Unavailable('too many deletions wait for their turn', again);
  if (cache.notes(machine.uid).waitsForTurn === undefined) {
    cache.note(machine.uid, { waitsForTurn: true });
    env.log.info('Deletion waits for its turn: others are under way');
  }
  env.metrics.count('turnsPutOff', {});
  return true;
}

/**
 * Counts the request for the workload cluster that it will wait for. Throws where that cluster has as many as it may.
 * @param workload as far as it is known: a request without one is not counted
 */
export function reserveCapacity(
  { reserveCapacity: reserve }: Pick<Environment, 'reserveCapacity'>,
  workload: string | undefined,
): void {
  if (workload !== undefined) reserve?.(workload);
}

/** The name of the workload cluster of a Machine; undefined where it is not known. */
export function workloadNamed(env: Environment, machine: KubeObject | undefined): string | undefined {
  if (machine === undefined) return undefined;
  const dialect = knownDialect(env, machine.apiVersion ?? '');
  const workload = dialect?.workload(dialect.read(machine));
  return workload && workloadName(workload);
}
