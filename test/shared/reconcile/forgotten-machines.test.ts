import { describe, expect, test } from 'vitest';
import { Cache } from '../../../shared/cache/cache.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { emptyJournal } from '../../../shared/reconcile/journal.ts';
import { setLook } from '../../../shared/reconcile/requeue.ts';
import { newStep } from '../../../shared/reconcile/step.ts';
import { Relisting } from '../../../shared/wake-ups/relist-limit.ts';
import { clockOf } from '../../builders/clock.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

const aMemory = (): Cache => new Cache(clockOf(() => 0));

const livingOf = (uid: string): KubeObject => ({ metadata: { name: uid, uid }, spec: { size: 'small' } });
const saying = { status: { phase: 'Deleting' }, over: {}, failure: undefined };
const says = (phase: string) => ({ ...saying, status: { phase } });
const rest = { age: () => 0, milliseconds: 1, generation: 1, message: 'busy' };
const fact = { type: 'Warning', reason: 'FailedDelete', message: 'no' } as const;

/** What is learnt of a Machine by its UID, and whether it is known. */
type Kind = [
  what: string,
  learn: (memory: Cache, uid: string) => unknown,
  knows: (memory: Cache, uid: string) => boolean,
];

const looks: Kind = [
  'the look that was set',
  (cache, uid) => cache.looks.set(uid, { at: 0, seq: 1 }),
  (cache, uid) => cache.looks.has(uid),
];
const refusedStatuses: Kind = [
  'that its status was refused',
  (cache, uid) => cache.refusedStatuses.remember(uid, '7'),
  (cache, uid) => cache.refusedStatuses.isAtRest(uid, '7'),
];
const refusedWrites: Kind = [
  'that its checkpoint was refused',
  (cache, uid) => cache.refusedWrites.remember(uid),
  (cache, uid) => cache.refusedWrites.isAtRest(uid),
];

describe('of a Machine that is gone it is not known any more', () => {
  // A backup of the cluster may bring it back, with the same UID and all of its deletion still before it.
  test.each<Kind>([looks, refusedStatuses, refusedWrites])('%s', (_what, learn, knows) => {
    const cache = aMemory();
    learn(cache, 'uid-1');
    expect(knows(cache, 'uid-1')).toBe(true);
    cache.rememberGone('uid-1');
    expect(knows(cache, 'uid-1')).toBe(false);
  });

  test('how often its Node was looked for in vain', () => {
    const cache = aMemory();
    cache.vainLooks.remember('uid-1');
    cache.rememberGone('uid-1');
    expect(cache.vainLooks.remember('uid-1').times).toBe(1);
  });
});

/** More than may be remembered by one. */
const uids = Array.from({ length: 5_001 }, (_, number) => `uid-${number}`);

describe('of more than 5000 Machines of the first it is not known any more', () => {
  // An instance may live for months, and a fleet replace its Machines every day.
  test.each<Kind>([
    refusedStatuses,
    refusedWrites,
    [
      'that a status of it is futile',
      (cache, uid) => cache.rememberFutileStatus(uid, '7', {}),
      (cache, uid) => cache.isStatusKnownFutile(uid, '7', {}),
    ],
    [
      'what its status said',
      (cache, uid) => cache.said.remember(uid, saying),
      (cache, uid) => cache.said.isTooSoon(uid, saying),
    ],
    [
      'what was told of it',
      (cache, uid) => cache.isToldFirst(uid, 'busy'),
      (cache, uid) => !cache.isToldFirst(uid, 'busy'),
    ],
    [
      'what its history said last',
      (cache, uid) => cache.rememberNoted(uid, 'said'),
      (cache, uid) => cache.lastNoted(uid) !== undefined,
    ],
    [
      'that its provider has asked for time',
      (cache, uid) => cache.rememberRest(uid, rest),
      (cache, uid) => cache.rest(uid, 1) !== undefined,
    ],
    [
      'that it is in step with its server',
      (cache, uid) => cache.inStep.remember(livingOf(uid), true),
      (cache, uid) => cache.inStep.has(livingOf(uid)),
    ],
    [
      'how often its server could not be made',
      (cache, uid) => cache.inStep.rememberFailures(livingOf(uid), 3),
      (cache, uid) => cache.inStep.failuresOf(livingOf(uid)) > 0,
    ],
  ])('%s', (_what, learn, knows) => {
    const cache = aMemory();
    for (const uid of uids) learn(cache, uid);
    expect(['uid-5000', 'uid-1', 'uid-0'].map((uid) => knows(cache, uid))).toEqual([true, true, false]);
  });

  test('how often its Node was looked for in vain', () => {
    const { vainLooks } = aMemory();
    for (const uid of uids) vainLooks.remember(uid);
    expect([vainLooks.remember('uid-1').times, vainLooks.remember('uid-0').times]).toEqual([2, 1]);
  });

  test('which Events are owed', () => {
    const time = { now: 0 };
    const { owedEvents } = new Cache(clockOf(() => time.now));
    for (const uid of uids) owedEvents.owe(uid, 1, [fact]);
    time.now += 30_000;
    expect([owedEvents.take('uid-1', 1), owedEvents.take('uid-0', 1)]).toEqual([[fact], []]);
  });

  test('when it was looked at since an API has forgotten what has changed', () => {
    const relisting = new Relisting(clockOf(() => 0));
    for (const uid of uids) relisting.inTurn(uid, () => undefined);
    const looked: string[] = [];
    for (const uid of ['uid-1', 'uid-0']) relisting.inTurn(uid, () => void looked.push(uid));
    expect(looked).toEqual(['uid-0']);
  });

  test('which look was set', async () => {
    const { env } = aWorld();
    for (const uid of uids) {
      const { machine, ...others } = aSubject();
      const subject = { ...others, machine: { ...machine, ref: { ...machine.ref, uid } } };
      const arrived = { subject, isSaved: true, unusable: undefined, age: () => 0 };
      const step = newStep(env, arrived, emptyJournal());
      await setLook(step, { machine: subject.machine.ref, at: env.clock.now() + 1_000, failures: 0 });
    }
    const isKnown = (uid: string): boolean => env.cache.looks.has(uid);
    expect(['uid-5000', 'uid-1', 'uid-0'].map(isKnown)).toEqual([true, true, false]);
  });
});

test('of the statuses of one Machine the last eight are known', () => {
  // Whatever is said of it within ten seconds, each of them kept as long as two statuses are.
  const { said } = aMemory();
  for (const phase of ['0', '1', '2', '3', '4', '5', '6', '7', '8']) said.remember('uid-1', says(phase));
  expect([said.isTooSoon('uid-1', says('1')), said.isTooSoon('uid-1', says('0'))]).toEqual([true, false]);
});
