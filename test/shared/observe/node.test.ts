import { expect, test } from 'vitest';
import { observeOwnNode } from '../../../shared/observe/node.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

test('the Node of a Machine that names none is not asked for, and nothing is shown of it', async () => {
  const { env, workload } = aWorld();
  const { nodeName: _, ...machine } = aSubject().machine;
  const subject = { ...aSubject(), machine };
  const snapshot = openSnapshot(env, subject);
  expect(await observeOwnNode(snapshot, subject)).toEqual({ kind: 'none' });
  expect(workload.reads).toEqual([]);
  expect(snapshot.observed.node).toEqual({ kind: 'unseen' });
});

test('a Node that has gone is shown as gone', async () => {
  const { env, workload } = aWorld();
  workload.drop('nodes/node-1');
  const snapshot = openSnapshot(env, aSubject());
  expect(await observeOwnNode(snapshot, aSubject())).toEqual({ kind: 'none' });
  expect(snapshot.observed.node).toEqual({ kind: 'absent' });
});

test('a Node that is there is shown as it is, each time as it is now', async () => {
  const { env, workload } = aWorld();
  const before = openSnapshot(env, aSubject());
  expect(await observeOwnNode(before, aSubject())).toMatchObject({
    kind: 'own',
    node: { metadata: { name: 'node-1' } },
  });
  workload.change('nodes/node-1', { metadata: { labels: { changed: 'yes' } } });
  const snapshot = openSnapshot(env, aSubject());
  expect(await observeOwnNode(snapshot, aSubject())).toMatchObject({
    node: { metadata: { labels: { changed: 'yes' } } },
  });
  expect(snapshot.observed.node).toEqual({ kind: 'present', object: workload.at('nodes/node-1') });
});
