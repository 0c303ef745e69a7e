import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { preDrain } from '../../../functions/pre-drain.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import type { PhaseOutcome } from '../../../shared/machine/reason.ts';
import type { Decision } from '../../../shared/phase/decision.ts';
import { logConcluded } from '../../../shared/reconcile/log.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { emptyJournal, newStep } from '../../../shared/reconcile/step.ts';
import { noWakeUps } from '../../../shared/wake-ups/wake-ups.ts';
import { aCheckpoint, aCluster, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, type World } from '../../builders/world.ts';
import { logLines } from '../http/log-lines.ts';

const begun = aCheckpoint({ seq: 1, phase: 'drain' });
const who = { Machine: 'default/m-1', uid: 'uid-1', phase: 'drain' };
const onNode = (name: string): KubeObject => ({ ...pod(name), spec: { nodeName: 'node-1' } });

const draining = (): World => aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));

/** What the drain's steps log, without the times. */
async function saidBy(world: World, env = world.env): Promise<object[]> {
  const { lines, log } = logLines();
  await reconcilePhase({ ...env, log }, drain, aCommand());
  for (const line of lines) delete line['time'];
  return lines;
}

describe('a drain tells', () => {
  test('whom it evicts, with the details at the level of debug, and when it looks again', async () => {
    const world = draining();
    world.workload.put('nodes', aNode({ unschedulable: false }));
    for (const name of ['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e', 'ns/f']) {
      world.workload.put('pods', onNode(name));
    }
    const said = await saidBy(world);
    const about = { level: 'info', ...who, Node: 'node-1' };
    const six = 'ns/a, ns/b, ns/c, ns/d, ns/e, ... (1 more)';
    expect(said.slice(0, 3)).toEqual([
      { ...about, msg: 'Cordoning Node' },
      { ...about, msg: 'Draining Node' },
      {
        ...about,
        msg: 'Drain not completed yet, there are still Pods on the Node that have to be drained',
        podsToTriggerEvictionNow: six,
      },
    ]);
    const details = said.slice(3, -1);
    const detail = { ...about, level: 'debug' };
    expect(details).toHaveLength(12);
    expect(details).toContainEqual({ ...detail, msg: 'Evicting Pod', Pod: 'ns/a' });
    expect(details).toContainEqual({ ...detail, msg: 'Pod eviction successfully triggered', Pod: 'ns/f' });
    expect(said.at(-1)).toEqual({
      ...about,
      msg: 'Drain not completed yet, requeuing in 20s',
      podsWithDeletionTimestamp: six,
    });
  });

  test('who refused, and that it tries again as soon as it does', async () => {
    const world = draining();
    world.workload.put('pods', onNode('ns/a'));
    world.workload.evictAll = async () =>
      new Map([['ns/a', { kind: 'refused', cause: 'BudgetExhausted', text: 'not now' }]]);
    const said = await saidBy(world, { ...world.env, random: () => 0 });
    expect(said.slice(-2)).toEqual([
      {
        level: 'debug',
        ...who,
        Node: 'node-1',
        msg: 'Pod eviction was refused',
        Pod: 'ns/a',
        cause: 'BudgetExhausted',
        why: 'not now',
      },
      {
        level: 'info',
        ...who,
        Node: 'node-1',
        msg: 'Drain not completed yet, requeuing in 200ms',
        podsFailedEviction: 'ns/a',
      },
    ]);
  });

  test('the saved time where no wake-up is kept', async () => {
    const world = draining();
    world.workload.put('pods', onNode('ns/a'));
    world.workload.evictAll = async () =>
      new Map([['ns/a', { kind: 'refused', cause: 'BudgetExhausted', text: 'not now' }]]);
    const said = await saidBy(world, { ...world.env, wakeUps: noWakeUps });
    expect(said.at(-1)).toMatchObject({ msg: 'Drain not completed yet, requeuing in 20s' });
  });

  test('that it is completed', async () => {
    expect(await saidBy(draining())).toEqual([
      { level: 'info', ...who, msg: 'Drain completed', Node: 'node-1' },
      {
        level: 'info',
        ...who,
        msg: 'Phase passed',
        as: 'done',
        message: 'no Pod that must go is left on the Node',
      },
    ]);
  });

  test('that it is completed with what it has evicted itself', async () => {
    const world = draining();
    world.workload.put('pods', onNode('ns/a'));
    world.workload.evictAll = async () => {
      world.workload.drop('pods/ns/a');
      return new Map([['ns/a', { kind: 'gone' }]]);
    };
    const said = await saidBy(world);
    expect(said).toContainEqual({
      level: 'debug',
      ...who,
      msg: 'Pod is gone already',
      Node: 'node-1',
      Pod: 'ns/a',
    });
    expect(said.at(-2)).toEqual({
      level: 'info',
      ...who,
      msg: 'Drain completed, remaining Pods on the Node have been evicted',
      Node: 'node-1',
    });
  });
});

test('every line tells the trace that it belongs to', async () => {
  const world = draining();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const tracing = { ...world.env.tracing, current: () => ({ traceparent }) };
  const said = await saidBy(world, { ...world.env, tracing });
  const trace = '0af7651916cd43dd8448eb211c80319c';
  expect(said).toMatchObject([{ trace }, { trace }]);
});

test.each<[string, Phase, PhaseOutcome, string[]]>([
  ['a drain', 'drain', 'done', ['Drain completed', 'Phase passed']],
  ['a drain whose time was over', 'drain', 'timed-out', ['Phase passed']],
  ['another phase', 'volume-detach', 'done', ['Phase passed']],
])(
  'that the drain is completed is told of a drain alone that is: of %s',
  (_what, phase, passing, messages) => {
    const { lines, log } = logLines();
    const { env } = aWorld();
    const arrived = { subject: aSubject({ phase }), isSaved: true, unusable: undefined, age: () => 0 };
    const advance = { kind: 'advance', passing, message: 'over' } as const;
    logConcluded(newStep({ ...env, log }, arrived, emptyJournal()), advance);
    expect(lines.map(({ msg }) => msg)).toEqual(messages);
  },
);

describe('phases that are passed over are told', () => {
  const excluded = {
    'machine.cluster.x-k8s.io/exclude-node-draining': '',
    'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
  };
  const atPreDrain = atCheckpoint(aCheckpoint({ seq: 1, phase: 'pre-drain' }));
  const going = aCluster({ metadata: { namespace: 'default', name: 'c', deletionTimestamp: timeAfter(1) } });
  const isPassed = { msg: 'Phase passed', as: 'done', message: 'no pre-drain hook is left' };
  const areExcluded = { msg: 'Phases passed over', phases: 'drain, volume-detach', as: 'excluded' };

  test.each<[string, Record<string, string>, (world: World) => void, object[]]>([
    ['where the deletion begins behind them', excluded, () => undefined, [areExcluded]],
    ['on the way', { ...excluded, ...atPreDrain }, () => undefined, [isPassed, areExcluded]],
    [
      'and why, where they are not for this Machine',
      {},
      (world) => void world.management.put('clusters', going),
      [
        {
          msg: 'Phases passed over',
          phases: 'pre-drain, drain, volume-detach',
          as: 'not-applicable',
          message: 'cluster is being deleted',
        },
      ],
    ],
    ['where there are any', atPreDrain, () => undefined, [isPassed]],
  ])('%s', async (_when, annotations, given, expected) => {
    const world = aWorld(aRawMachine({ annotations }));
    given(world);
    const { lines, log } = logLines();
    await reconcilePhase({ ...world.env, log }, preDrain, aCommand({ phase: 'pre-drain', seq: 1 }));
    const about = { level: 'info', Machine: 'default/m-1', uid: 'uid-1', phase: 'pre-drain' };
    const said = lines.filter(({ msg }) => /^Phases? passed/.test(String(msg)));
    expect(said).toEqual(expected.map((line) => ({ time: expect.any(String), ...about, ...line })));
  });
});

describe('a step tells what it came to', () => {
  const report = { reason: 'WaitingForPreDrainHook', message: 'hooks' } as const;
  test.each<[string, Exclude<Decision, { kind: 'act' }>, object]>([
    [
      'a wait, and when it looks again',
      { kind: 'wait', until: [], report, requeueAfterSeconds: 90 },
      {
        level: 'info',
        msg: 'Deletion waits',
        reason: 'WaitingForPreDrainHook',
        message: 'hooks',
        again: '1m30s',
      },
    ],
    [
      'a failure',
      { kind: 'wait', until: [], report: { ...report, error: 'no access' }, requeueAfterSeconds: 5 },
      { level: 'warn', msg: 'Deletion is held up', error: 'no access', again: '5s' },
    ],
    [
      'a step back',
      { kind: 'retreat', to: 'drain', message: 'Pods again' },
      { level: 'info', msg: 'Returning to phase', to: 'drain', message: 'Pods again' },
    ],
    ['the end', { kind: 'release', report }, { level: 'info', msg: 'Deletion completed' }],
    [
      'nothing to do',
      { kind: 'ignore', why: 'it is not ours' },
      { level: 'debug', msg: 'Nothing to do', why: 'it is not ours' },
    ],
  ])('%s', (_what, decision, line) => {
    const { lines, log } = logLines();
    const { env } = aWorld();
    const arrived = { subject: aSubject(), isSaved: true, unusable: undefined, age: () => 0 };
    logConcluded(newStep({ ...env, log }, arrived, emptyJournal()), decision);
    expect(lines).toMatchObject([line]);
  });
});
