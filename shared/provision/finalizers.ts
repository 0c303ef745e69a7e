import type { Dialect } from '../dialects/dialect.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import { changeLiving } from '../write/retry-on-conflict.ts';
import { completedFinalizers, completedOwners } from './decide.ts';

/**
 * Puts the finalizers on a living Machine that it lacks. With them it adds its Cluster as an owner where it has one. The
 * answer is the Machine as it is by then, perhaps being deleted; undefined when it is gone. Throws Unavailable.
 * @param isHeard whether an event alone says how the Machine is
 */
export function addFinalizers(
  env: Environment,
  dialect: Dialect,
  seen: Machine,
  { cluster, isHeard = false }: { cluster?: KubeObject | undefined; isHeard?: boolean },
): Promise<Machine | undefined> {
  return changeLiving(env, dialect, seen, {
    what: 'the finalizer',
    deed: 'added',
    isHeard,
    patchOf(machine) {
      const finalizers = completedFinalizers(machine, dialect.finalizersOf(machine));
      if (finalizers === undefined) return undefined;
      const ownerReferences = cluster === undefined ? undefined : completedOwners(machine, cluster);
      return { metadata: { finalizers, ...(ownerReferences === undefined ? {} : { ownerReferences }) } };
    },
  });
}
