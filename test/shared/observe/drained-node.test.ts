import { expect, test } from 'vitest';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { observeDrainedNode } from '../../../shared/observe/node.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { beside, besideOfOpenShift } from '../../builders/beside.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

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
