import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { type Phase, phases } from '../../../shared/machine/phase.ts';
import type { Subject } from '../../../shared/phase/definition.ts';
import { guard as guardAt } from '../../../shared/phase/guard.ts';
import { beside, ourHook } from '../../builders/beside.ts';
import { aCluster, after, someSurroundings } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';

const guard = (subject: Subject, now = after(10)) => guardAt(subject, now);

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/etcd';
const bothHooks = { [preDrain]: '', [preTerminate]: 'someone' };
const paused = { 'cluster.x-k8s.io/paused': 'false' };
const pausedCluster = someSurroundings({ cluster: aCluster({ spec: { paused: true } }) });
const refused = { allowed: false, why: 'noderef is nil' } as const;

const preDrainWait = {
  kind: 'wait',
  until: [{ kind: 'hook-removed' }],
  report: {
    reason: 'WaitingForPreDrainHook',
    message: `Waiting for pre-drain hooks to succeed (hooks: ${preDrain})`,
  },
  requeueAfterSeconds: 60,
};
const preTerminateWait = {
  kind: 'wait',
  until: [{ kind: 'hook-removed' }],
  report: {
    reason: 'WaitingForPreTerminateHook',
    message: `Waiting for pre-terminate hooks to succeed (hooks: ${preTerminate})`,
  },
  requeueAfterSeconds: 60,
};
const pause = (message: string) => ({
  kind: 'wait',
  until: [{ kind: 'unpaused' }],
  report: { reason: 'Paused', message },
  requeueAfterSeconds: 60,
});

test.each(phases)('a Machine without pause and hooks may go on in %s', (phase) => {
  expect(guard(aSubject({ phase }))).toBeUndefined();
});

describe('a Machine that is not ours to act on is left alone, paused or not', () => {
  test('it is not being deleted', () => {
    const subject = aSubject({ annotations: { ...paused, ...bothHooks } });
    delete subject.machine.deletionTimestamp;
    expect(guard(subject)).toEqual({ kind: 'ignore', why: 'the Machine is not being deleted' });
  });

  test('our finalizer is not on it', () => {
    const machine = { finalizers: ['example.com/other'] };
    expect(guard(aSubject({ machine, annotations: { ...paused, ...bothHooks } }))).toEqual({
      kind: 'ignore',
      why: 'the finalizer machine.cluster.x-k8s.io is not on the Machine',
    });
  });
});

describe('a pause', () => {
  test.each(phases)('holds in %s, before any hook', (phase) => {
    const subject = aSubject({ phase, annotations: { ...paused, ...bothHooks } });
    expect(guard(subject)).toEqual(pause('Machine has the cluster.x-k8s.io/paused annotation'));
  });

  test('of the Cluster and of the Machine are both named', () => {
    expect(guard(aSubject({ annotations: paused, surroundings: pausedCluster }))).toEqual(
      pause('Cluster spec.paused is set to true, Machine has the cluster.x-k8s.io/paused annotation'),
    );
  });
});

describe('hooks hold from their point on, also when they came late', () => {
  const held: Record<Phase, [preDrainHook: object | undefined, preTerminateHook: object | undefined]> = {
    'pre-drain': [preDrainWait, undefined],
    drain: [preDrainWait, undefined],
    'volume-detach': [preDrainWait, undefined],
    'hand-over': [preDrainWait, undefined],
    'pre-terminate': [preDrainWait, preTerminateWait],
    infrastructure: [preDrainWait, preTerminateWait],
    bootstrap: [preDrainWait, preTerminateWait],
    node: [preDrainWait, preTerminateWait],
    finalize: [preDrainWait, preTerminateWait],
  };

  test.each(phases)('in %s', (phase) => {
    const [byPreDrain, byPreTerminate] = held[phase];
    expect(guard(aSubject({ phase, annotations: { [preDrain]: '' } }))).toEqual(byPreDrain);
    expect(guard(aSubject({ phase, annotations: { [preTerminate]: '' } }))).toEqual(byPreTerminate);
    expect(guard(aSubject({ phase, annotations: bothHooks }))).toEqual(byPreDrain);
  });

  test.each([
    [preDrain, preDrainWait],
    [preTerminate, preTerminateWait],
  ])('also %s, put back after its point was passed', (hook, wait) => {
    const before = { as: 'done', since: '2026-01-01T00:00:00Z' } as const;
    const checkpoint = { passed: { 'pre-drain': before, drain: before, 'pre-terminate': before } };
    const subject = aSubject({ phase: 'infrastructure', checkpoint, annotations: { [hook]: '' } });
    expect(guard(subject)).toEqual(wait);
  });
});

describe('where the Node may not be touched', () => {
  test.each(phases)('pre-drain hooks do not hold in %s', (phase) => {
    const subject = aSubject({ phase, annotations: { [preDrain]: '' }, nodeDeletion: refused });
    expect(guard(subject)).toBeUndefined();
  });

  test.each<Phase>(['pre-terminate', 'infrastructure', 'bootstrap', 'node', 'finalize'])(
    'pre-terminate hooks do in %s',
    (phase) => {
      const subject = aSubject({ phase, annotations: bothHooks, nodeDeletion: refused });
      expect(guard(subject)).toEqual(preTerminateWait);
    },
  );
});

const spokenBy = (reason: 'FailedValidate' | 'DeletionRefused', what: string): Partial<Dialect> => ({
  events: (_machine, moment) =>
    moment.what === what && 'why' in moment ? [{ type: 'Warning', reason, message: moment.why }] : [],
});

describe('a Machine that lacks what its API demands', () => {
  const dialect: Dialect = {
    ...clusterApi,
    invalidity: () => 'no providerSpec',
    ...spokenBy('FailedValidate', 'invalid'),
  };

  test.each(phases)('is held in %s, before any hook', (phase) => {
    expect(guard(aSubject({ phase, dialect, annotations: bothHooks }))).toEqual({
      kind: 'wait',
      until: [],
      report: { reason: 'FailedValidate', message: 'no providerSpec' },
      requeueAfterSeconds: 60,
      events: [{ type: 'Warning', reason: 'FailedValidate', message: 'no providerSpec' }],
    });
  });

  test('is first of all paused', () => {
    expect(guard(aSubject({ dialect, annotations: paused }))).toMatchObject({ report: { reason: 'Paused' } });
  });
});

describe('the Machine that phaseout runs on', () => {
  const surroundings = someSurroundings({ runsUs: true });
  const sparing: Dialect = {
    ...clusterApi,
    sparesOwnMachine: true,
    ...spokenBy('DeletionRefused', 'refused'),
  };
  const message = 'Machine m-1 is the one that phaseout runs on (Node node-1)';

  test.each(phases)('is held in %s where its API spares it', (phase) => {
    expect(guard(aSubject({ phase, surroundings, dialect: sparing }))).toEqual({
      kind: 'wait',
      until: [],
      report: { reason: 'RunsPhaseout', message },
      requeueAfterSeconds: 60,
      events: [{ type: 'Warning', reason: 'DeletionRefused', message }],
    });
  });

  test('is not spared by the other APIs', () => {
    expect(guard(aSubject({ surroundings }))).toBeUndefined();
  });
});

const remarksOf = (hooks: string[], at: number, dialect = beside()) => {
  const annotations = Object.fromEntries([ourHook, ...hooks].map((hook) => [hook, 'phaseout.dev']));
  const decision = guard(aSubject({ phase: 'pre-drain', dialect, annotations }), after(at));
  return decision?.kind === 'wait' ? decision.report.remarks : undefined;
};

describe('one hook of others alone, beside the controller of the API', () => {
  const other = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/last';
  const hint = `${other} and the hook of phaseout may wait for each other: if its owner waits for phaseout, name it in PHASEOUT_HOOKS_AFTER`;

  test.each<[what: string, remarks: readonly string[] | undefined, expected: string[] | undefined]>([
    ['for less than 15 minutes', remarksOf([other], 900), undefined],
    ['for 15 minutes', remarksOf([other], 901), [hint]],
    ['with a third one', remarksOf([other, `${other}-too`], 901), undefined],
    ['which goes after ours', remarksOf([other], 901, beside({ hooksAfter: ['last'] })), undefined],
    ['in place of that controller', remarksOf([other], 901, clusterApi), undefined],
  ])('%s is said, or not', (_what, remarks, expected) => {
    expect(remarks).toEqual(expected);
  });
});

const letGo = (annotations: Record<string, string>) => {
  const { checkpoint, ...subject } = aSubject({ phase: 'hand-over', annotations });
  return guard({ ...subject, checkpoint: { ...checkpoint, released: '2026-01-01T12:00:05.000Z' } });
};

test('a Machine that was let go is held by a pause alone, whatever hooks come', () => {
  expect(letGo(bothHooks)).toBeUndefined();
  expect(letGo({ ...bothHooks, ...paused })).toMatchObject({ report: { reason: 'Paused' } });
});
