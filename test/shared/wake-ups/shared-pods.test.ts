import { expect, test } from 'vitest';
import type { Pod } from '../../../shared/kubernetes/objects.ts';
import { nodes, pods } from '../../../shared/kubernetes/resources.ts';
import { sharingPods } from '../../../shared/wake-ups/shared-pods.ts';
import { pod } from '../../builders/pods.ts';
import { watchedApi } from '../reconcile/watches.ts';

const podOn = (nodeName: string, name: string, resourceVersion: number): Pod => {
  const made = pod(name);
  return {
    ...made,
    metadata: { ...made.metadata, resourceVersion: String(resourceVersion) },
    spec: { ...made.spec, nodeName },
  };
};

/** An API. The Pods of so many Nodes are watched there, from version 100 on. */
function given(count: number) {
  const { api, watches } = watchedApi();
  const sharing = sharingPods()(api);
  const told: string[] = [];
  const watchNode = (nodeName: string, resourceVersion = '100') =>
    sharing.watch(pods, { fieldSelector: `spec.nodeName=${nodeName}` }, resourceVersion, {
      changed: (type, { metadata: { name } }) => told.push(`${nodeName}: ${type} ${name}`),
      ended: (expired) => told.push(`${nodeName}: ended${expired ? ', expired' : ''}`),
    });
  const stops = Array.from({ length: count }, (_, index) => watchNode(`node-${index + 1}`));
  return {
    sharing,
    watches,
    told,
    watchNode,
    stops,
    selections: () => watches.map((each) => each.selection),
  };
}

test('three Nodes have a watch each', () => {
  expect(given(3).selections()).toEqual([
    { fieldSelector: 'spec.nodeName=node-1' },
    { fieldSelector: 'spec.nodeName=node-2' },
    { fieldSelector: 'spec.nodeName=node-3' },
  ]);
});

test('all that come after them share one of all Pods', () => {
  const { watches } = given(50);
  expect(watches).toHaveLength(4);
  expect(watches[3]).toMatchObject({ resource: pods, selection: {}, resourceVersion: '100' });
});

test('a Node is told of its own Pods alone', () => {
  const { watches, told } = given(5);
  watches[3]!.change('MODIFIED', podOn('node-4', 'shop/web', 101));
  watches[3]!.change('DELETED', podOn('node-5', 'shop/api', 102));
  watches[3]!.change('DELETED', podOn('node-of-others', 'shop/job', 103));
  expect(told).toEqual(['node-4: MODIFIED web', 'node-5: DELETED api']);
});

test('a Node that joins later is told which of its Pods have gone since', async () => {
  const { watches, told, watchNode } = given(4);
  watches[3]!.change('MODIFIED', podOn('node-5', 'shop/web', 101));
  watches[3]!.change('DELETED', podOn('node-5', 'shop/api', 102));
  watchNode('node-5', '101');
  expect(told).toEqual([]);
  await Promise.resolve();
  expect([watches.length, told]).toEqual([4, ['node-5: DELETED api']]);
});

test('a Node whose list is older than the shared watch has a watch of its own', () => {
  const { watches, watchNode } = given(4);
  watchNode('node-5', '99');
  expect(watches[4]!.selection).toEqual({ fieldSelector: 'spec.nodeName=node-5' });
});

test('a Node whose list is older than what is remembered has a watch of its own', () => {
  const { watches, watchNode } = given(4);
  for (let index = 1; index <= 5_001; index += 1)
    watches[3]!.change('DELETED', podOn('node-4', `shop/web-${index}`, 100 + index));
  watchNode('node-5', '101');
  watchNode('node-6', '100');
  expect(watches.map(({ selection }) => selection.fieldSelector).slice(3)).toEqual([
    undefined,
    'spec.nodeName=node-6',
  ]);
});

test('a version that is no number has a watch of its own', () => {
  const { watches, watchNode } = given(3);
  watchNode('node-4', '');
  expect(watches[3]!.selection).toEqual({ fieldSelector: 'spec.nodeName=node-4' });
});

test('the last Node that leaves ends the shared watch', () => {
  const { watches, stops } = given(5);
  stops[3]!();
  expect(watches[3]!.isStopped).toBe(false);
  stops[4]!();
  expect(watches[3]!.isStopped).toBe(true);
});

test('Nodes that left their own watches make room for others', () => {
  const { watches, watchNode, stops } = given(3);
  stops[0]!();
  watches[1]!.end(false);
  watchNode('node-4');
  expect(watches[3]!.selection).toEqual({ fieldSelector: 'spec.nodeName=node-4' });
});

test.each([
  [false, ['node-4: ended', 'node-5: ended']],
  [true, ['node-4: ended, expired', 'node-5: ended, expired']],
])('the end of the shared watch is the end for all (expired: %s)', (expired, expected) => {
  const { watches, told, watchNode } = given(5);
  watches[3]!.end(expired);
  expect(told).toEqual(expected);
  watchNode('node-4');
  expect(watches[4]).toMatchObject({ selection: {} });
});

test('where thousands of changes concern none of the Nodes, each has its own watch again', () => {
  const { watches, told, watchNode } = given(4);
  for (let index = 0; index <= 2_000; index += 1)
    watches[3]!.change('MODIFIED', podOn('node-of-others', 'shop/job', 101 + index));
  expect([watches[3]!.isStopped, told]).toEqual([true, ['node-4: ended']]);
  watchNode('node-4');
  expect(watches[4]!.selection).toEqual({ fieldSelector: 'spec.nodeName=node-4' });
});

test('other watches pass as they are', () => {
  const { sharing, watches } = given(4);
  const ended = { changed: () => undefined, ended: () => undefined };
  sharing.watch(nodes, { fieldSelector: 'metadata.name=node-1' }, '100', ended);
  expect(watches[4]).toMatchObject({
    resource: nodes,
    selection: { fieldSelector: 'metadata.name=node-1' },
  });
});
