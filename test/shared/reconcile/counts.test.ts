import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import type { Conclusion, Decision } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { countedMetrics } from '../../builders/observed.ts';
import { pod } from '../../builders/pods.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const deciding = (name: Phase, ...decisions: Decision[]) =>
  definePhase({
    name,
    observe: async () => undefined,
    decide: () => decisions.shift() ?? { kind: 'ignore', why: 'nothing more is decided' },
    onUnavailable: () => ({ kind: 'ignore', why: 'unseen' }),
  });

/** Ten seconds after the deletion was asked for, and two after the phase was entered. */
function at(phase: Phase): World {
  const checkpoint = aCheckpoint({ seq: 1, phase, since: new Date(after(8)).toISOString() });
  return aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
}

async function counts(world: World, run: (env: Environment) => Promise<unknown>): Promise<string[]> {
  const { metrics, counted } = countedMetrics();
  await run({ ...world.env, metrics });
  return counted;
}

const waiting: Conclusion = {
  kind: 'wait',
  until: [],
  report: { reason: 'DrainingNode', message: 'two Pods are left' },
  requeueAfterSeconds: 20,
};
const waitingWith = (report: object): Conclusion => ({
  ...waiting,
  report: { ...waiting.report, ...report },
});
const advance = (passing: 'done' | 'timed-out' | 'excluded'): Conclusion => ({
  kind: 'advance',
  passing,
  message: 'it is over',
});

describe('a step counts', () => {
  test.each<[string, Phase, Conclusion, string[]]>([
    [
      'the phase that was passed, how, and how long it took',
      'drain',
      advance('excluded'),
      [
        'phasesPassed machine_api=cluster-api phase=drain outcome=excluded',
        'phaseSeconds machine_api=cluster-api phase=drain 2',
      ],
    ],
    [
      'the step back to the drain',
      'volume-detach',
      { kind: 'retreat', to: 'drain', message: 'a Pod has come' },
      [
        'phasesPassed machine_api=cluster-api phase=volume-detach outcome=returned',
        'phaseSeconds machine_api=cluster-api phase=volume-detach 2',
      ],
    ],
    [
      'the end of the deletion, and how long all of it took',
      'finalize',
      { kind: 'release', report: { reason: 'DeletionCompleted', message: 'Deletion completed' } },
      [
        'phasesPassed machine_api=cluster-api phase=finalize outcome=done',
        'phaseSeconds machine_api=cluster-api phase=finalize 2',
        'deletionsCompleted machine_api=cluster-api',
        'deletionSeconds machine_api=cluster-api 10',
      ],
    ],
    [
      'a wait',
      'drain',
      waiting,
      ['waits machine_api=cluster-api phase=drain reason=DrainingNode outcome=waiting'],
    ],
    [
      'a wait that somebody holds up',
      'drain',
      waitingWith({ isHeldUp: true }),
      ['waits machine_api=cluster-api phase=drain reason=DrainingNode outcome=held-up'],
    ],
    [
      'a failure',
      'drain',
      waitingWith({ error: 'the Node could not be read' }),
      ['waits machine_api=cluster-api phase=drain reason=DrainingNode outcome=failed'],
    ],
  ])('%s', async (_what, phase, decision, expected) => {
    const command = aCommand({ phase });
    expect(await counts(at(phase), (env) => reconcilePhase(env, deciding(phase, decision), command))).toEqual(
      expected,
    );
  });

  test('the beginning of a deletion once it is saved', async () => {
    const phase = deciding('drain', waiting);
    expect(await counts(aWorld(), (env) => reconcilePhase(env, phase, aCommand({ seq: 0 })))).toEqual([
      'deletionsStarted machine_api=cluster-api',
      'waits machine_api=cluster-api phase=drain reason=DrainingNode outcome=waiting',
    ]);
  });

  test('nothing of what a conflict kept from being saved', async () => {
    const world = at('drain');
    world.management.on(`patch ${machinePath}`, () => ({ kind: 'conflict', message: 'changed' }));
    const phase = deciding('drain', advance('done'), waiting);
    expect(await counts(world, (env) => reconcilePhase(env, phase, aCommand()))).toEqual([
      'waits machine_api=cluster-api phase=drain reason=DrainingNode outcome=waiting',
    ]);
  });

  test('every answer to an eviction, told or not', async () => {
    const world = at('drain');
    const answers: EvictionAnswer[] = [
      { kind: 'accepted' },
      { kind: 'replaced' },
      { kind: 'refused', cause: 'NotAttempted', text: 'no time' },
    ];
    world.workload.evictAll = async () => new Map(answers.map((answer, index) => [`ns/${index}`, answer]));
    const evictions = answers.map((_answer, index) => ({ pod: pod(`ns/${index}`) }));
    const { reason, message } = { reason: 'DrainingNode', message: 'evicting' } as const;
    const evict: Decision = {
      kind: 'act',
      effects: [{ kind: 'evict', evictions }],
      report: { reason, message },
    };
    const run = (env: Environment) => reconcilePhase(env, deciding('drain', evict), aCommand());
    expect(await counts(world, run)).toEqual([
      'evictions machine_api=cluster-api answer=accepted cause=',
      'evictions machine_api=cluster-api answer=replaced cause=',
      'evictions machine_api=cluster-api answer=refused cause=NotAttempted',
    ]);
  });
});

describe('a sweep counts', () => {
  test('what was due, and how late it comes', async () => {
    const world = at('drain');
    await world.env.store.schedule({ machine: aCommand().machine, at: after(7), failures: 0 });
    expect(await counts(world, (env) => sweep(env, 'due'))).toEqual([
      'dueLooks 1',
      'dueLag by=sweep 3',
      'sweeps sweep=due outcome=done',
      'sweepSeconds sweep=due 0',
    ]);
  });

  test('the Machines that are being deleted, by where they stand and what they show', async () => {
    const conditions = [{ type: 'Deleting', status: 'True', reason: 'DrainingNode' }];
    const annotations = atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' }));
    const world = aWorld({ ...aRawMachine({ annotations }), status: { conditions } });
    world.management.put('machines', aRawMachine({ metadata: { name: 'm-2', uid: 'uid-2' } }));
    expect(await counts(world, (env) => sweep(env, 'all'))).toEqual([
      'machinesDeleting machine_api=cluster-api phase=drain reason=DrainingNode 1',
      'machinesDeleting machine_api=cluster-api phase=drain reason= 1',
      'machinesHeld',
      'hooksHeldUp',
      `oldestDeletion machine_api=cluster-api machine_namespace=default reason=DrainingNode ${after(0)}`,
      `oldestDeletion machine_api=cluster-api machine_namespace=default reason= ${after(0)}`,
      'sweeps sweep=all outcome=done',
      'sweepSeconds sweep=all 0',
    ]);
  });

  test.each([
    ['Unknown', 'NodeUnknown', 'machinesHeld machine_api=cluster-api reason=NodeUnknown 1'],
    ['False', 'NodeOfAnotherServer', 'machinesHeld'],
  ])(
    'the Machines that are held for their Node: condition %s, reason %s',
    async (status, reason, expected) => {
      const conditions = [{ type: 'phaseout.dev/OwnNode', status, reason, message: 'why' }];
      const annotations = atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' }));
      const world = aWorld({ ...aRawMachine({ annotations }), status: { conditions } });
      const told = await counts(world, (env) => sweep(env, 'all'));
      expect(told.filter((line) => line.startsWith('machinesHeld'))).toEqual([expected]);
    },
  );

  test('the time that it took', async () => {
    const world = aWorld();
    world.management.on('list machines', () => void (world.time.now += 2_500));
    expect(await counts(world, (env) => sweep(env, 'all'))).toContain('sweepSeconds sweep=all 2.5');
  });

  test('that there is none any more', async () => {
    const world = aWorld();
    world.management.drop(machinePath);
    expect(await counts(world, (env) => sweep(env, 'all'))).toContain('machinesDeleting');
  });

  test('not how many Machines there are where those of one API could not be listed: they are not gone', async () => {
    const world = aWorld();
    const [dialect] = world.env.dialects;
    world.env.dialects = [{ ...dialect!, name: 'broken', group: 'broken.example' }, dialect!];
    const discover = world.management.discover.bind(world.management);
    world.management.discover = async (group, kind) => {
      if (group === 'broken.example') throw new Unavailable('conversion webhook failed');
      return discover(group, kind);
    };
    expect(await counts(world, (env) => sweep(env, 'all'))).toEqual([
      `oldestDeletion machine_api=cluster-api machine_namespace=default reason= ${after(0)}`,
      'sweeps sweep=all outcome=done',
      'sweepSeconds sweep=all 0',
    ]);
  });

  test('its failure, which is still thrown', async () => {
    const world = aWorld();
    world.management.list = () => {
      throw new Unavailable('not now');
    };
    const { metrics, counted } = countedMetrics();
    await expect(sweep({ ...world.env, metrics }, 'all')).rejects.toThrow('not now');
    expect(counted).toEqual(['sweeps sweep=all outcome=failed', 'sweepSeconds sweep=all 0']);
  });
});
