import { workloadName } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { checkpointAnnotation } from '../machine/checkpoint.ts';
import type { Advance } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import { knownDialect } from '../read/machine.ts';
import type { Environment, Pending, StepResult } from '../runtime/environment.ts';

/** Deletions that have begun go first. So each of many deletions is done soon after its first eviction. */
const ranks = { begun: 0, new: 1 };
/** The period of the quick tick. */
const again = { retryAfterSeconds: 5 };

/**
 * Runs a step of a Machine when its turn comes in this instance. One step of a Machine runs at a time. The load of
 * the API server limits the steps of all Machines. Commands for the same step run once. Throws if the workload
 * cluster has its share.
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
 * Puts a deletion off if it has not begun and too many wait: undefined then.
 * @param group the workload cluster, if it is known
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

/** @param annotations of the Machine, if they are known */
export const hasBegun = ({ seq }: Advance, annotations: Readonly<Record<string, string>> = {}): boolean =>
  seq > 0 || checkpointAnnotation in annotations;

/**
 * If too many steps wait for their turn, one more waits in the store. This instance takes it when it has room, or a
 * sweep does. Throws Unavailable if the store is away as well. Then its event comes again, or the rare sweep finds it.
 */
export async function isPutOff(env: Environment, command: Advance): Promise<boolean> {
  const { loadLimit, store, cache, clock, wakeUps } = env;
  const { machine } = command;
  if (loadLimit === undefined || loadLimit.room() > 0) return false;
  const at = clock.now();
  await store.schedule({ machine, at, failures: 0, isProvisional: true, isOfDeletion: true });
  if (store.isAvailable?.() === false) throw new Unavailable('too many deletions wait for their turn', again);
  if (cache.notes(machine.uid).waitsForTurn === undefined) {
    cache.note(machine.uid, { waitsForTurn: true });
    env.log.info('Deletion waits for its turn: others are under way');
  }
  env.metrics.count('turnsPutOff', {});
  loadLimit.later(machine.uid, () => wakeUps.keep(command, [{ kind: 'time', at: clock.now() }], undefined));
  return true;
}

/**
 * Counts the request for the workload cluster that it will wait for. Throws if that cluster has its share.
 * @param workload if it is known: a request without one is not counted
 */
export function reserveCapacity(
  { reserveCapacity: reserve }: Pick<Environment, 'reserveCapacity'>,
  workload: string | undefined,
): void {
  if (workload !== undefined) reserve?.(workload);
}

/** The name of the workload cluster of a Machine; undefined if it is not known. */
export function workloadNamed(env: Environment, machine: KubeObject | undefined): string | undefined {
  if (machine === undefined) return undefined;
  const dialect = knownDialect(env, machine.apiVersion ?? '');
  const workload = dialect?.workload(dialect.read(machine));
  return workload && workloadName(workload);
}
