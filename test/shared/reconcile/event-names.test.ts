import { expect, test } from 'vitest';
import { infrastructure } from '../../../functions/infrastructure.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint } from '../../builders/cluster-api.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld } from '../../builders/v1alpha1-world.ts';
import { aCommand, atCheckpoint } from '../../builders/world.ts';

/** The names of the Events about a Machine of this name whose server cannot be removed. */
async function eventNames(name: string): Promise<string[]> {
  const begun = aCheckpoint({ seq: 1, phase: 'infrastructure' });
  const raw = aRawOriginal({ metadata: { name, annotations: atCheckpoint(begun) } });
  const world = anOriginalWorld(raw);
  world.cloud.next('delete', () => ({ kind: 'failed', reason: undefined, message: 'no permission' }));
  await reconcilePhase(world.env, infrastructure, aCommand({ seq: 1, machine: originalApi.read(raw).ref }));
  const { items } = await world.management.list({ group: '', version: 'v1', plural: 'events' });
  return items.map(({ metadata }) => metadata.name);
}

test.each<[string, string, string]>([
  ['the name of the Machine', 'm-1', 'm-1'],
  ['as much of it as there is room for', 'm'.repeat(253), 'm'.repeat(236)],
  [
    'what is left of it without a hyphen or a dot at its end',
    `${'m'.repeat(234)}-.${'n'.repeat(17)}`,
    'm'.repeat(234),
  ],
])('an Event is named by %s, and by what it tells', async (_what, machine, expected) => {
  const [name = ''] = await eventNames(machine);
  expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  expect(name.length).toBeLessThanOrEqual(253);
  expect(name.slice(0, name.lastIndexOf('.'))).toBe(expected);
});
