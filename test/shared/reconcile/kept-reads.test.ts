import { expect, test } from 'vitest';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import type { Conclusion, Decision } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const report = { reason: 'DrainingNode', message: 'said' } as const;
const done: Conclusion = { kind: 'advance', passing: 'done', message: 'nothing is left' };
const cordon: Decision = {
  kind: 'act',
  effects: [{ kind: 'cordon', node: 'node-1', uid: 'node-uid-1' }],
  report,
};

/** Looks at the Node, and cordons it first where that is asked. */
function aPhase(...decisions: Decision[]) {
  let looks = 0;
  return definePhase<unknown>({
    name: 'drain',
    observe: (snapshot) => snapshot.get('workload', nodes, { name: 'node-1' }),
    decide: () => decisions[Math.min(looks++, decisions.length - 1)]!,
    onUnavailable: () => done,
  });
}

/** A step that meets a conflict once its Machine is to be written. Meanwhile so many seconds go by. */
async function afterConflict(seconds: number, ...decisions: Decision[]): Promise<World> {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' })) }));
  world.management.on(`patch ${machinePath}`, (): WriteOutcome => {
    world.time.now += seconds * 1_000;
    return { kind: 'conflict', message: 'the object has been modified' };
  });
  await reconcilePhase(world.env, aPhase(...decisions), aCommand());
  return world;
}

test.each<[when: string, seconds: number, decisions: Decision[], reads: number]>([
  ['has just been read is not read again', 1, [done], 1],
  ['was read more than a second ago is read again', 1.001, [done], 2],
  ['was cordoned is read again', 0, [cordon, done], 2],
])('after a conflict a Node that %s', async (_when, seconds, decisions, reads) => {
  const { workload } = await afterConflict(seconds, ...decisions);
  expect(workload.reads).toEqual(Array(reads).fill('get nodes/node-1'));
});

test('after a conflict the Machine is read again', async () => {
  const { management } = await afterConflict(0, done);
  expect(management.reads.filter((read) => read === `get ${machinePath}`)).toHaveLength(2);
});
