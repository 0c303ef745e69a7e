import { describe, expect, test } from 'vitest';
import { intake } from '../../../functions/intake.ts';
import { sweep } from '../../../functions/sweep.ts';
import type { Conclusion, Decision } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { currentTrace, withTraceLog } from '../../../shared/runtime/telemetry.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { recordedTracing } from '../../builders/observed.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';
import { logLines } from '../http/log-lines.ts';

const here = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const before = { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' };
const begun = atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' }));
const ofAnother = { ...begun, 'phaseout.dev/trace': before.traceparent };

const report = { reason: 'DrainingNode', message: 'said' } as const;
const wait: Conclusion = { kind: 'wait', until: [], report, requeueAfterSeconds: 20 };
const done: Conclusion = { kind: 'advance', passing: 'done', message: 'nothing is left' };
const cordon: Decision = {
  kind: 'act',
  effects: [{ kind: 'cordon', node: 'node-1', uid: 'node-uid-1' }],
  report,
};

const deciding = (...decisions: Decision[]) =>
  definePhase({
    name: 'drain',
    observe: async () => undefined,
    decide: () => decisions.shift() ?? wait,
    onUnavailable: () => wait,
  });

const traceOn = ({ management }: World) =>
  management.at(machinePath)?.metadata.annotations?.['phaseout.dev/trace'];

describe('the trace of a deletion', () => {
  test('is written beside the first checkpoint', async () => {
    const world = aWorld();
    const env = { ...world.env, ...recordedTracing(here) };
    await reconcilePhase(env, deciding(wait), aCommand({ seq: 0 }));
    expect(traceOn(world)).toBe(here.traceparent);
  });

  test('stays the one that it began with', async () => {
    const world = aWorld(aRawMachine({ annotations: ofAnother }));
    await reconcilePhase({ ...world.env, ...recordedTracing(here) }, deciding(done), aCommand());
    expect(traceOn(world)).toBe(before.traceparent);
  });

  test('is not written where nothing is traced', async () => {
    const world = aWorld();
    await reconcilePhase(world.env, deciding(wait), aCommand({ seq: 0 }));
    expect(traceOn(world)).toBeUndefined();
  });

  test('is carried on to the next phase, and to the wake-up of this one', async () => {
    const world = aWorld(aRawMachine({ annotations: begun }));
    const env = { ...world.env, ...recordedTracing(here) };
    await reconcilePhase(env, deciding(wait), aCommand());
    const { next } = await reconcilePhase(env, deciding(done), aCommand());
    expect(world.kept.map(({ advance }) => advance.trace)).toEqual([here]);
    expect(next?.trace).toEqual(here);
  });

  test('is carried on to the phase where the Machine really stands', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'node' })) }));
    const { next } = await reconcilePhase({ ...world.env, ...recordedTracing(here) }, deciding(), aCommand());
    expect(next).toMatchObject({ phase: 'node', trace: here });
  });

  test.each([
    ['is taken up again by the sweep of what is due', 'due'],
    ['is taken up again by the sweep of everything', 'all'],
  ] as const)('%s', async (_what, which) => {
    const world = aWorld(aRawMachine({ annotations: ofAnother }));
    await world.env.store.schedule({ machine: aCommand().machine, at: after(5), failures: 0 });
    const commands = await sweep({ ...world.env, ...recordedTracing(here) }, which);
    expect(commands.map(({ trace }) => trace)).toEqual([before]);
  });

  test('begins with the event of its first change, and goes on with those of later ones', async () => {
    const { env } = aWorld();
    const traced = { ...env, ...recordedTracing(here) };
    expect((await intake(traced, aRawMachine())).next?.trace).toEqual(here);
    const later = aRawMachine({ metadata: { uid: 'uid-2' }, annotations: ofAnother });
    expect((await intake(traced, later)).next?.trace).toEqual(before);
  });
});

test('each look and each effect is a span, with the Machine and where it stands', async () => {
  const world = aWorld(aRawMachine({ annotations: begun }));
  const { tracing, spans } = recordedTracing(here);
  await reconcilePhase({ ...world.env, tracing }, deciding(cordon, wait), aCommand());
  const about = {
    'phaseout.machine.api_version': 'cluster.x-k8s.io/v1beta2',
    'phaseout.machine.namespace': 'default',
    'phaseout.machine.name': 'm-1',
    'phaseout.machine.uid': 'uid-1',
    'phaseout.phase': 'drain',
    'phaseout.seq': 1,
  };
  expect(spans.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['look', { ...about, 'phaseout.decision': 'act' }],
    ['cordon', about],
    ['look', { ...about, 'phaseout.decision': 'wait' }],
  ]);
});

test('a command of what is not traced carries no trace, not even an empty one', () => {
  expect(currentTrace(recordedTracing())).toStrictEqual({});
});

test('a log names the trace that it is within, where there is one', () => {
  const { log, lines } = logLines();
  withTraceLog(log, recordedTracing(here).tracing).info('traced');
  withTraceLog(log, recordedTracing().tracing).info('untraced');
  expect(lines).toEqual([
    { time: expect.any(String), level: 'info', msg: 'traced', trace: '0af7651916cd43dd8448eb211c80319c' },
    { time: expect.any(String), level: 'info', msg: 'untraced' },
  ]);
});
