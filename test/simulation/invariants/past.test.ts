import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { fleet, machines } from './built-stage.ts';
import { nodesThatStay } from './nodes-that-stay.ts';
import { type Part, rememberPast, type View } from './sight/past.ts';
import { openStage } from './stage.ts';

const clusters = 'clusters.cluster.x-k8s.io';
const blue = { metadata: { namespace: 'fleet', name: 'blue' } };

const isMachine: Part['has'] = ({ resource, name }) => resource === machines && name === fleet.name;
const areMachines: Part['has'] = ({ resource, name }) => resource === machines && name === undefined;
const isCluster: Part['has'] = ({ resource }) => resource === clusters;

const stateOf = (object: KubeObject | undefined): string => object?.metadata.labels?.['state'] ?? 'first';

/** The state of the Machine, of the list of Machines, and of the Cluster, as labels tell. */
function statesIn(view: View): string {
  const machine = view.get('management', machines, fleet.namespace, fleet.name);
  const listed = view.list('management', machines).find(({ metadata }) => metadata.name === fleet.name);
  return [machine, listed, view.get('management', clusters, 'fleet', 'blue')].map(stateOf).join(' ');
}

test.each<[string, since: number, has: Part['has'][], string[]]>([
  [
    'each as of a moment of its own',
    0,
    [isMachine, isCluster],
    ['second second second', 'first second second', 'second second first', 'first second first'],
  ],
  [
    'its list as of another moment than the object',
    0,
    [isMachine, areMachines],
    ['second second second', 'first second second', 'second first second', 'first first second'],
  ],
  [
    'not as they were before anybody looked',
    1_500,
    [isMachine, isCluster],
    ['second second second', 'second second first'],
  ],
  ['what nobody asks for as it is now', 0, [isCluster], ['second second second', 'second second first']],
  ['all as it is now, where nothing is read', 0, [], ['second second second']],
])('what was read apart is seen apart: %s', async (_how, since, all, expected) => {
  const stage = await openStage(nodesThatStay);
  const { world } = stage;
  const begun = world.now();
  const past = rememberPast(world);
  const metadata = { labels: { state: 'second' } };
  await stage.pass(1_000);
  stage.patchMachine({ metadata });
  await stage.pass(1_000);
  world.management.patch(clusters, blue, { metadata });
  await stage.pass(1_000);
  const parts = all.map((has) => ({ has, since: begun + since }));
  expect([...past.apart(parts)].map(statesIn)).toEqual(expected);
});
