import { withRemembered } from '../cache/hook-records.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { ownObjectsIn } from './own-objects.ts';

/** What a look at a Machine knows of DeletionHooks. */
export type HookSources = Pick<Snapshot, 'deletionHooks' | 'hookRecords' | 'hasHookKey' | 'deliversCalls'>;

/** The same, for one Machine. What the store remembers is read once; what this instance learns counts at once. */
export function hookSourcesFor(env: Environment, machine: MachineRef): HookSources {
  const { uid: machineUid, namespace } = machine;
  const { store, cache } = env;
  let stored: Promise<HookRecord[]> | undefined;
  return {
    deletionHooks: (where, maxAge) => ownObjectsIn({ kind: 'DeletionHook', namespace: where }, env, maxAge),
    async hookRecords() {
      stored ??= store.hookRecords(machineUid);
      return withRemembered(cache, machineUid, await stored);
    },
    hasHookKey: async () => (await env.hooks?.key()) !== undefined,
    deliversCalls: async (name) => env.hooks?.delivers?.({ namespace, name }, machine),
  };
}
