import { beforeEach, describe, expect, test } from 'vitest';
import { infrastructure } from '../../functions/infrastructure.ts';
import type { DeleteAnswer, Existence } from '../../shared/actuator/port.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openSnapshot } from '../../shared/read/open-snapshot.ts';
import { anActuator, withProvider } from '../builders/actuator.ts';
import { after, someSurroundings } from '../builders/cluster-api.ts';
import { aSubject } from '../builders/subject.ts';
import { aWorld, type World } from '../builders/world.ts';

const failed = { kind: 'failed', reason: 'DeleteError', message: 'the server is locked' } as const;
const retry = { kind: 'retry', afterSeconds: 7, message: 'still stopping' } as const;
const untilAbsent = withProvider();
const untilAccepted = withProvider({ goneWhen: 'accepted' });

/** The phase began one second after the deletion. */
const decideAt = (seconds: number, dialect: Dialect, asked?: DeleteAnswer, existence?: Existence) =>
  infrastructure.decide(
    aSubject({ phase: 'infrastructure', dialect }),
    { kind: 'server', asked, existence },
    after(seconds),
  );

const gone = { kind: 'advance', passing: 'done', message: 'the instance has been deleted' };
const waits = (requeueAfterSeconds: number, message = 'Waiting for the instance to be deleted') => ({
  kind: 'wait',
  until: [],
  report: { reason: 'WaitingForInfrastructureDeletion', message },
  requeueAfterSeconds,
});
const fails = (requeueAfterSeconds: number, error: string) => ({
  kind: 'wait',
  until: [],
  report: { reason: 'InternalError', message: `Failed to delete the instance: ${error}`, error },
  requeueAfterSeconds,
});

test.each([
  [untilAbsent, 'network n-1 not found'],
  [untilAbsent, 'NotFound: subnet s-1'],
  [untilAccepted, 'network n-1 not found'],
  [untilAccepted, 'NotFound: subnet s-1'],
])('something else that the provider does not find is no server that is gone', (dialect, message) => {
  const refusal: DeleteAnswer = { kind: 'failed', reason: undefined, message };
  expect(decideAt(1, dialect, refusal)).toEqual(fails(5, message));
});

test.each([untilAbsent, untilAccepted])('the provider is asked before anything is concluded', (dialect) => {
  expect(decideAt(1, dialect)).toEqual({
    kind: 'act',
    effects: [{ kind: 'terminate' }],
    report: {
      reason: 'WaitingForInfrastructureDeletion',
      message: 'Waiting for the instance to be deleted',
    },
  });
});

describe('where a server is gone when it does not exist', () => {
  test.each<[what: string, asked: DeleteAnswer, existence: Existence | undefined, decision: object]>([
    ['it does not exist any more', { kind: 'accepted' }, { kind: 'absent' }, gone],
    ['it still exists', { kind: 'accepted' }, { kind: 'exists' }, waits(2)],
    [
      'it exists, and the provider says when to ask',
      { kind: 'accepted' },
      { kind: 'exists', retryAfterSeconds: 45 },
      waits(45),
    ],
    ['nobody has asked yet whether it exists', { kind: 'accepted' }, undefined, waits(2)],
    [
      'it exists, and the provider counts in parts of seconds',
      { kind: 'accepted' },
      { kind: 'exists', retryAfterSeconds: 2.1 },
      waits(3),
    ],
    [
      'it exists, and the provider wants to be asked at once: not in a loop',
      { kind: 'accepted' },
      { kind: 'exists', retryAfterSeconds: 0 },
      waits(1),
    ],
    [
      'the provider asks for time',
      retry,
      undefined,
      waits(7, 'Waiting for the instance to be deleted: still stopping'),
    ],
    ['the delete failed', failed, undefined, fails(5, 'DeleteError: the server is locked')],
    [
      'a failure has no reason',
      { ...failed, reason: undefined },
      undefined,
      fails(5, 'the server is locked'),
    ],
    [
      'the provider does not tell whether it exists',
      { kind: 'accepted' },
      failed,
      fails(5, 'DeleteError: the server is locked'),
    ],
    [
      'the provider wants to be asked later',
      { kind: 'accepted' },
      retry,
      waits(7, 'Waiting for the instance to be deleted: still stopping'),
    ],
  ])('%s', (_what, asked, existence, decision) => {
    expect(decideAt(1, untilAbsent, asked, existence)).toEqual(decision);
  });

  test.each([
    [1, 2],
    [7, 2],
    [31, 7],
    [61, 15],
    [601, 30],
  ])('%i s after the deletion it is looked at again in %i s', (seconds, again) => {
    expect(decideAt(seconds, untilAbsent, { kind: 'accepted' }, { kind: 'exists' })).toEqual(waits(again));
  });

  test.each([
    [1, 5],
    [31, 7],
    [601, 60],
  ])('%i s after the deletion a failure is tried again in %i s', (seconds, again) => {
    expect(decideAt(seconds, untilAbsent, failed)).toEqual(fails(again, 'DeleteError: the server is locked'));
  });

  test('a failure that is forgiven leaves the question whether it exists', () => {
    const dialect = withProvider({ forgives: (_machine, refusal) => refusal.kind === 'failed' });
    expect(decideAt(1, dialect, failed, { kind: 'absent' })).toEqual(gone);
    expect(decideAt(1, dialect, failed, { kind: 'exists' })).toEqual(
      waits(2, 'Waiting for the instance to be deleted: DeleteError: the server is locked'),
    );
    expect(decideAt(1, dialect, retry)).toEqual(
      waits(7, 'Waiting for the instance to be deleted: still stopping'),
    );
  });
});

describe('where a server is gone when its delete was accepted', () => {
  test.each<[what: string, asked: DeleteAnswer, decision: object]>([
    ['it was', { kind: 'accepted' }, gone],
    ['the provider asks for time', retry, waits(7, 'Waiting for the instance to be deleted: still stopping')],
    ['it failed', failed, fails(5, 'DeleteError: the server is locked')],
  ])('%s', (_what, asked, decision) => {
    expect(decideAt(1, untilAccepted, asked)).toEqual(decision);
  });
});

describe('a server that is still there', () => {
  const late = { type: 'Warning', reason: 'DeletionLate', message: 'late' } as const;
  const dialect: Dialect = {
    ...untilAbsent,
    events: (_machine, moment) => (moment.what === 'server-stays' ? [late] : []),
  };
  const existsAt = (seconds: number) => decideAt(seconds, dialect, { kind: 'accepted' }, { kind: 'exists' });

  // The phase began one second after the deletion.
  test('for 15 minutes is only waited for', () => {
    expect(existsAt(901)).toEqual(waits(30));
  });

  test('for longer is told of, in words that stay the same', () => {
    const told = {
      ...waits(30, 'Waiting for the instance to be deleted since more than 15m'),
      events: [late],
    };
    expect(existsAt(902)).toEqual(told);
    expect(existsAt(9_000)).toEqual(told);
  });

  test('because the provider asks for time says so too', () => {
    expect(decideAt(902, dialect, retry)).toEqual({
      ...waits(7, 'Waiting for the instance to be deleted since more than 15m: still stopping'),
      events: [late],
    });
  });
});

test('a provider that could not be asked leaves the server unknown', () => {
  const subject = aSubject({ phase: 'infrastructure', dialect: untilAbsent });
  expect(infrastructure.onUnavailable(subject, 'no answer', after(1))).toEqual(fails(5, 'no answer'));
});

test('the Machine API has a word for a failure', () => {
  const fact = { type: 'Warning', reason: 'FailedDelete', message: 'x' } as const;
  const dialect: Dialect = {
    ...untilAbsent,
    events: (_machine, moment) => (moment.what === 'server-failed' ? [fact] : []),
  };
  expect(decideAt(1, dialect, failed)).toMatchObject({ events: [fact] });
});

describe('the provider is asked', () => {
  let world: World;
  beforeEach(() => {
    world = aWorld();
  });

  const observe = async (dialect: Dialect, answer: DeleteAnswer | undefined) => {
    const subject = aSubject({ phase: 'infrastructure', dialect });
    const actuator = anActuator({ exists: [{ kind: 'absent' }] });
    const snapshot = openSnapshot({ ...world.env, actuator }, subject);
    if (answer !== undefined) snapshot.recordTermination(answer);
    return { seen: await infrastructure.observe(snapshot, subject), asked: actuator.asked };
  };
  const accepted: DeleteAnswer = { kind: 'accepted' };

  test.each<[when: string, dialect: Dialect, answer: DeleteAnswer | undefined, asked: string[]]>([
    ['nothing before the delete', untilAbsent, undefined, []],
    ['whether the server exists once the delete was accepted', untilAbsent, accepted, ['exists uid-1']],
    ['nothing after a refusal', untilAbsent, failed, []],
    [
      'whether it exists after a refusal that is forgiven',
      withProvider({ forgives: () => true }),
      failed,
      ['exists uid-1'],
    ],
    ['nothing more where the delete is final', untilAccepted, accepted, []],
  ])('%s', async (_when, dialect, answer, asked) => {
    expect((await observe(dialect, answer)).asked).toEqual(asked);
  });

  test('about the Machine and the Cluster it belongs to', async () => {
    const cluster = { apiVersion: 'cluster.k8s.io/v1alpha1', kind: 'Cluster', metadata: { name: 'c' } };
    const subject = aSubject({
      phase: 'infrastructure',
      dialect: untilAbsent,
      surroundings: someSurroundings({ cluster }),
    });
    const actuator = anActuator();
    const snapshot = openSnapshot({ ...world.env, actuator }, subject);
    snapshot.recordTermination(accepted);
    await infrastructure.observe(snapshot, subject);
    expect(actuator.targets).toEqual([{ machine: subject.machine.raw, cluster }]);
  });
});
