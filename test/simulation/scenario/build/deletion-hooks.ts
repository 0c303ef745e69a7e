import { buildHookKey } from '../../platform/functions/key.ts';
import type { World } from '../../world.ts';

export const deletionHooks = 'deletionhooks.phaseout.dev';

/** With the key by which answers count. */
export function buildDeletionHooks(world: World): void {
  const { management, functions } = world;
  if (functions.hooks.length === 0) return;
  buildHookKey(world);
  for (const { namespace, name, spec } of functions.hooks)
    management.create(deletionHooks, {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DeletionHook',
      metadata: { namespace, name },
      spec,
    });
}
