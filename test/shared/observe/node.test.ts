import { expect, test } from 'vitest';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { observeDrainedNode, observeOwnNode } from '../../../shared/observe/node.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { beside, besideOfOpenShift } from '../../builders/beside.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
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

interface Given {
  dialect?: ReturnType<typeof beside>;
  /** The answer to its cordon. */
  node?: Parameters<typeof aNode>[0];
  seconds: number;
}

/** How often a look reads the Node, so many seconds after another one has cordoned it. */
async function readings({ dialect = beside(), node = {}, seconds }: Given): Promise<number> {
  const { env, workload, time } = aWorld();
  const subject = aSubject({ dialect });
  const outcome = { kind: 'written', object: aNode(node) } as const;
  const target = { side: 'workload', resource: nodes, key: { name: 'node-1' } } as const;
  openSnapshot(env, subject).recordWrite(target, outcome, env.clock.stopwatch());
  time.now += seconds * 1_000;
  time.passed += seconds * 1_000;
  await observeDrainedNode(openSnapshot(env, subject), subject);
  return workload.reads.filter((read) => read === 'get nodes/node-1').length;
}

test.each<[what: string, given: Given, expected: number]>([
  ['the answer to its cordon counts after its drain', { seconds: 30 }, 0],
  ['but not an older one', { seconds: 31 }, 1],
  ['nor one in which it is not cordoned', { seconds: 1, node: { unschedulable: false } }, 1],
  ['nor one in which it is unreachable', { seconds: 1, node: { ready: 'Unknown' } }, 1],
  ['nor one in which a volume is attached', { seconds: 1, node: { volumesAttached: ['csi^a'] } }, 1],
  ['nor beside OpenShift, which does not cordon it again', { seconds: 1, dialect: besideOfOpenShift() }, 1],
])('%s', async (_what, given, expected) => {
  expect(await readings(given)).toBe(expected);
});
