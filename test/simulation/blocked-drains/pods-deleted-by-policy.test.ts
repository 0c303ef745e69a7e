import { expect, test } from 'vitest';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import { openStage } from '../invariants/stage.ts';
import { podsDeletedByPolicy } from './pods-deleted-by-policy.ts';

/** What is cried of the delete of a Pod, by an instance that has no grant and no DrainPolicy. */
async function criesOf(uid: 'its own' | 'none'): Promise<string[]> {
  const stage = await openStage(podsDeletedByPolicy);
  await stage.pass(10);
  const { management } = stage.world;
  for (const definition of policyDefinitions)
    management.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  const pod = stage.world.cluster('blue').create('pods', {
    metadata: { name: 'web', namespace: 'default' },
    spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'registry.example/app:1' }] },
  });
  const { namespace = '', name } = pod.metadata;
  const preconditions = uid === 'its own' ? { uid: pod.metadata.uid } : {};
  const asked = { host: 'blue', verb: 'delete', resource: 'pods', namespace, name, body: { preconditions } };
  stage.ask(asked, () => undefined);
  return stage.cries.map((cry) => cry.replace(/^.*?(?=, whose| without|, and)/, ''));
}

const ungranted = [' without a grant', ', and no DrainPolicy says so'];

test('a Pod is deleted without its UID', async () => {
  expect(await criesOf('none')).toEqual([' without a UID', ...ungranted]);
});

test('a Pod is deleted whose eviction was never refused', async () => {
  expect(await criesOf('its own')).toEqual([', whose eviction was never refused', ...ungranted]);
});
