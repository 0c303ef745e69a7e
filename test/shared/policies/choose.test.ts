import { describe, expect, test } from 'vitest';
import { choosePlace, type Place } from '../../../shared/policies/choose.ts';
import type { Member } from '../../../shared/policies/places.ts';
import { waitText } from '../../../shared/policies/words.ts';
import { aDrainPolicy, aMember, aView } from '../../builders/drain-policy.ts';

// A Friday, ten hours before the window of the night opens.
const now = Date.parse('2026-11-27T11:00:00Z');
const minutesAgo = (minutes: number): number => now - minutes * 60_000;
const deleted = (name: string, minutes: number, parts: Partial<Member> = {}): Member =>
  aMember(name, { deletedAt: minutesAgo(minutes), ...parts });
const begun = (name: string, minutes: number): Member =>
  deleted(name, minutes, { begunAt: minutesAgo(minutes) });
const entry = (name: string) => ({ uid: `uid-of-${name}`, name, since: '2026-11-27T10:00:00Z' });
const night = { windows: [{ schedule: '0 22 * * *', timeZone: 'Europe/Berlin', duration: '6h' }] };
const gpu = { machines: [{ selector: { matchLabels: { pool: 'gpu' } } }] };

const wants = deleted('worker-1', 5);

interface Case {
  policies?: ReturnType<typeof aDrainPolicy>[];
  others?: Member[];
  machine?: Member;
  gone?: string[];
  taken?: string[];
}

const chosen = ({
  policies = [aDrainPolicy()],
  others = [],
  machine = wants,
  gone = [],
  taken = [],
}: Case): Place =>
  choosePlace(aView(policies, [machine, ...others], gone), machine, { taken: new Set(taken), now });

/** In a word, and what is written on which policy, or in the words of the wait. */
function said(given: Case): string {
  const place = chosen(given);
  if (place.kind === 'wait') return waitText(place.for);
  if (place.kind === 'unclear') return place.why;
  if (place.kind !== 'take' && place.kind !== 'give-back') return place.kind;
  const writes = place.writes.map(
    ({ policy, begun: all }) => `${policy.name}: ${all.map(({ name }) => name).join(' ')}`,
  );
  return `${place.kind} ${writes.join('; ')}`;
}

const living = (count: number, parts: Partial<Member> = {}): Member[] =>
  Array.from({ length: count }, (_, index) => aMember(`living-${index}`, parts));

describe('a Machine and its places', () => {
  test.each<[what: string, given: Case, expected: string]>([
    ['begins where no policy is for it', { policies: [aDrainPolicy('gpus', gpu)] }, 'none'],
    ['takes a place that is free', {}, 'take workers: worker-1'],
    ['goes on once this step has taken it', { taken: ['uid-of-workers'] }, 'pass'],
    [
      'waits while another one has begun',
      { others: [begun('worker-2', 9)] },
      'Waiting for DrainPolicy workers: at most 1 at once; begun: worker-2',
    ],
    [
      'waits while another one has a place, though nothing else shows that it began',
      { policies: [aDrainPolicy('workers', {}, [entry('worker-2')])], others: [deleted('worker-2', 1)] },
      'Waiting for DrainPolicy workers: at most 1 at once; begun: worker-2',
    ],
    [
      'waits for one that has a place and is on no list, while no read proves it gone',
      { policies: [aDrainPolicy('workers', {}, [entry('worker-2')])] },
      'Waiting for DrainPolicy workers: at most 1 at once; begun: worker-2',
    ],
    [
      'takes the place of one that is gone',
      { policies: [aDrainPolicy('workers', {}, [entry('worker-2')])], gone: ['uid-of-worker-2'] },
      'take workers: worker-1',
    ],
    [
      'rebuilds a status that was emptied, with its own place',
      { policies: [aDrainPolicy('workers', { maxUnavailable: 3 })], others: [begun('worker-2', 9)] },
      'take workers: worker-2 worker-1',
    ],
    [
      'writes a place once more that an earlier step has taken',
      { policies: [aDrainPolicy('workers', {}, [entry('worker-1')])] },
      'take workers: worker-1',
    ],
    [
      'does so after its window has closed',
      { policies: [aDrainPolicy('workers', night, [entry('worker-1')])] },
      'take workers: worker-1',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected);
  });
});

describe('the line', () => {
  test.each<[what: string, given: Case, expected: string]>([
    [
      'lets those go first that were deleted before',
      { others: [deleted('worker-2', 9), deleted('worker-3', 1)] },
      'Waiting for DrainPolicy workers: at most 1 at once; before it: worker-2',
    ],
    [
      'goes by names where they were deleted at once',
      { others: [deleted('worker-0', 5), deleted('worker-2', 5)] },
      'Waiting for DrainPolicy workers: at most 1 at once; before it: worker-0',
    ],
    [
      'has the control plane first',
      {
        policies: [aDrainPolicy('workers', { controlPlanes: true })],
        others: [deleted('cp-1', 1, { isControlPlane: true })],
      },
      'Waiting for DrainPolicy workers: at most 1 at once; before it: cp-1',
    ],
    [
      'passes one over that waits for a pause or for hooks of others',
      { others: [deleted('worker-2', 9, { waitsElsewhere: true })] },
      'take workers: worker-1',
    ],
    [
      'passes one over that another policy keeps waiting',
      {
        policies: [aDrainPolicy(), aDrainPolicy('gpus', { ...gpu, ...night })],
        others: [deleted('worker-2', 9, { labels: { pool: 'gpu' } })],
      },
      'take workers: worker-1',
    ],
    [
      'passes one over that waits for a window, where a broken one need not',
      {
        policies: [aDrainPolicy('workers', night)],
        machine: { ...wants, isReady: false },
        others: [deleted('worker-2', 9)],
      },
      'take workers: worker-1',
    ],
    [
      'lets as many go as there are places',
      { policies: [aDrainPolicy('workers', { maxUnavailable: 2 })], others: [deleted('worker-2', 9)] },
      'take workers: worker-1',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected);
  });
});

describe('what counts', () => {
  const two = [aDrainPolicy('workers', { maxUnavailable: 2 })];
  const ailing = aMember('worker-9', { isReady: false });

  test.each<[what: string, given: Case, expected: string]>([
    [
      'for one with a Ready Node are also living ones that are not Ready',
      { others: [ailing] },
      'Waiting for DrainPolicy workers: at most 1 at once; not Ready: worker-9',
    ],
    [
      'are those of which nothing is known',
      { others: [aMember('worker-9', { isReady: undefined })] },
      'Waiting for DrainPolicy workers: at most 1 at once; not Ready: worker-9',
    ],
    [
      'is only what has begun for a broken one',
      { machine: { ...wants, isReady: false }, others: [ailing] },
      'take workers: worker-1',
    ],
    [
      'makes broken ones go one after the other',
      { machine: { ...wants, isReady: false }, others: [begun('worker-2', 9), ailing] },
      'Waiting for DrainPolicy workers: at most 1 at once; begun: worker-2',
    ],
    [
      'is no deleted one that waits, Ready or not',
      { policies: two, others: [deleted('worker-2', 9, { isReady: false }), deleted('worker-3', 1)] },
      'take workers: worker-1',
    ],
    [
      'is another one of two',
      { policies: two, others: [begun('worker-2', 9)] },
      'take workers: worker-2 worker-1',
    ],
    [
      'is unknown of a Machine itself: then it waits as a healthy one',
      { machine: { ...wants, isReady: undefined }, others: [ailing] },
      'Waiting for DrainPolicy workers: at most 1 at once; not Ready: worker-9',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected);
  });

  test.each([
    ['10% of 9 living ones and one that counts is 1', '10%', 9, 'at most 1 at once'],
    ['10% of 19 and one is 2', '10%', 19, 'take'],
    ['10% of 18 and one is rounded down to 1', '10%', 18, 'at most 1 at once'],
    ['100% of none and one is 1', '100%', 0, 'at most 1 at once'],
    ['50% of 3 and one is 2', '50%', 3, 'take'],
  ])('%s', (_what, maxUnavailable, count, expected) => {
    const policies = [aDrainPolicy('workers', { maxUnavailable })];
    expect(said({ policies, others: [begun('worker-2', 9), ...living(count)] })).toContain(expected);
  });
});

describe('a window', () => {
  test('holds a Machine until it opens', () => {
    expect(said({ policies: [aDrainPolicy('workers', night)] })).toBe(
      'Waiting for DrainPolicy workers: its next window opens at 2026-11-27T21:00:00Z',
    );
  });

  test.each([
    ['does not hold one with a broken Node', 'Healthy', false, 'take workers: worker-1'],
    [
      'holds that too where it is for all',
      'All',
      false,
      'Waiting for DrainPolicy workers: its next window opens at 2026-11-27T21:00:00Z',
    ],
    [
      'holds one of which nothing is known',
      'Healthy',
      undefined,
      'Waiting for DrainPolicy workers: its next window opens at 2026-11-27T21:00:00Z',
    ],
  ])('%s', (_what, windowsFor, isReady, expected) => {
    const policies = [aDrainPolicy('workers', { ...night, windowsFor })];
    expect(said({ policies, machine: { ...wants, isReady } })).toBe(expected);
  });

  test('of a policy without a limit takes no place', () => {
    const always = { windows: [{ schedule: '* * * * *', timeZone: 'UTC', duration: '1m' }] };
    const policies = [aDrainPolicy('workers', { ...always, maxUnavailable: undefined })];
    expect(said({ policies, others: [begun('worker-2', 9)] })).toBe('pass');
  });

  test('that opens in no year says so', () => {
    const policies = [
      aDrainPolicy('workers', { windows: [{ schedule: '0 0 30 2 *', timeZone: 'UTC', duration: '1h' }] }),
    ];
    expect(said({ policies })).toBe(
      'Waiting for DrainPolicy workers: none of its windows opens within 366 days',
    );
  });
});

const both = (a: object[] = [], b: object[] = []) => [aDrainPolicy('a', {}, a), aDrainPolicy('b', {}, b)];

describe('several policies', () => {
  test.each<[what: string, given: Case, expected: string]>([
    ['are taken in order of their names', { policies: both() }, 'take a: worker-1; b: worker-1'],
    ['are taken where one was before', { policies: both(), taken: ['uid-of-a'] }, 'take b: worker-1'],
    [
      'are waited for, all of them',
      { policies: both([], [entry('worker-2')]) },
      'Waiting for DrainPolicy b: at most 1 at once; begun: worker-2',
    ],
    [
      'give back what was taken where another one has none left',
      { policies: both([entry('worker-1')], [entry('worker-2')]) },
      'give-back a: ',
    ],
    [
      'give it back also where this step has taken it',
      { policies: both([entry('worker-1')], [entry('worker-2')]), taken: ['uid-of-a'] },
      'give-back a: ',
    ],
    [
      'take what is left where the other place is free',
      { policies: both([entry('worker-1')]) },
      'take a: worker-1; b: worker-1',
    ],
  ])('%s', (_what, given, expected) => {
    expect(said(given)).toBe(expected);
  });
});

test('one that cannot be read holds the Machine', () => {
  expect(said({ policies: [aDrainPolicy(), aDrainPolicy('x', { maxUnavailable: 0 })] })).toBe(
    'DrainPolicy x cannot be read: spec.maxUnavailable: is no limit',
  );
});
