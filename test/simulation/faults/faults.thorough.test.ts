import { describe, expect, test } from 'vitest';
import { type Outcome, simulate } from '../simulate.ts';
import { staleReads } from './api/reads.ts';
import { hookAnswers } from './events/hook-answers.ts';
import type { Fault } from './fault.ts';
import { faults, switches } from './index.ts';
import { machinery } from './machinery.ts';
import { smallWorld, smallWorldWithFunction } from './small-world.ts';

/** What has to go wrong, and the switches by which it does. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'crash before an effect': ['crash-before-effect'],
  'crash after an effect and before the record': ['crash-after-effect', 'crash-before-record'],
  'crash after the record': ['crash-after-record'],
  'a paused instance that wakes with old knowledge': ['paused-instance', 'paused-instance-over-an-answer'],
  'two instances on one Machine': ['several-instances'],
  'an instance that is ended while it works': ['ended-politely'],
  'no instance for a while': ['all-instances-gone'],
  'clocks that jump': ['clock-jumps'],
  'an upgrade in mid-deletion': ['upgrade', 'checkpoint-of-another-version'],
  'events lost': ['events-lost', 'events-refused', 'sink-hangs', 'broker-restarted', 'adapters-restarted'],
  'events repeated up to five times': ['events-repeated', 'two-adapters', 'answer-lost'],
  'events reordered': ['events-reordered'],
  'events delayed for hours': ['events-delayed'],
  'ticks late, doubled, missing': ['ticks-late', 'ticks-doubled', 'ticks-missing'],
  'a watch that goes silent': ['watch-silent', 'watch-cut'],
  'a watch that cannot be opened': ['watches-refused'],
  '410 and relist': ['watch-expired'],
  'a false delete from a selector': ['false-delete-event', 'false-delete-in-watch'],
  'the delete event with the old state': ['delete-event-with-old-state', 'events-with-old-state'],
  'stale lists': ['stale-reads'],
  '409': ['conflict', 'eviction-conflict'],
  '429 with and without Retry-After': ['throttled-with-retry-after', 'throttled', 'evictions-throttled'],
  '500': ['server-error', 'server-error-with-effect'],
  '503': ['unavailable'],
  '404 of a proxy': ['not-found-page'],
  '504': ['gateway-timeout', 'gateway-timeout-with-effect'],
  'timeouts with the effect applied': ['timeout-with-effect', 'timeout-with-late-effect'],
  'timeouts without the effect': ['timeout'],
  'lost connections': ['connection-lost', 'connection-lost-with-effect'],
  '403 after a permission change': ['forbidden', 'unauthorized'],
  '422 of a policy': ['denied'],
  'partial pages': ['partial-pages', 'pages-lost'],
  'discovery failing': ['discovery-fails'],
  'what decides failing': ['reads-fail', 'first-reads-fail'],
  'deletes failing': ['deletes-fail'],
  'slow API': ['slow-api'],
  'workload API unreachable for a while or for good': [
    'workload-unreachable',
    'workload-unreachable-for-good',
  ],
  'the other API unreachable': ['management-unreachable'],
  'credentials of the provider that change': ['provider-token-renewed'],
  'the store down': ['store-down', 'store-server-error'],
  'the store throttled': ['store-throttled'],
  'the store stale': ['store-stale', 'store-partial-pages'],
  'conditional writes of the store lost in a timeout': [
    'store-conditional-write-lost',
    'store-timeout',
    'store-timeout-with-effect',
    'store-late-effect',
    'store-connection-lost',
  ],
  'the store emptied': ['store-emptied'],
  'answers of functions lost, late, doubled, forged': [
    'hook-answers-lost',
    'hook-answers-late',
    'hook-answers-doubled',
    'hook-answers-forged',
  ],
  'infrastructure that fails': ['provider-fails', 'provider-asks-to-retry', 'infrastructure-fails'],
  'infrastructure that lies': ['provider-lies', 'provider-says-it-still-exists'],
  'infrastructure that cannot be asked': [
    'provider-unreachable',
    'provider-answer-lost',
    'provider-hangs',
    'provider-garbled',
  ],
  'infrastructure that takes forever': ['infrastructure-slow', 'infrastructure-stays'],
};

interface Run extends Outcome {
  hits: string[];
  said: string[];
}

async function run(seed: number, struck: readonly Fault[]): Promise<Run> {
  const hits: string[] = [];
  const said: string[] = [];
  const observer = {
    hit: (fault: string, phases: readonly string[]) => void hits.push(`${fault} ${phases.join(',')}`),
    said: (who: string, what: string) => void said.push(`${who} ${what}`),
  };
  const isOfAnswers = struck.some((fault) => hookAnswers.includes(fault));
  const scenario = isOfAnswers ? smallWorldWithFunction : smallWorld;
  const options = { faults: struck, always: true, scenario, observers: [() => observer] };
  const outcome = await simulate(seed, options);
  return { ...outcome, hits, said };
}

/** Some need more than one world to come to something: a list must be long, or a watch be open. */
async function untilItStrikes(fault: Fault): Promise<Run[]> {
  const runs: Run[] = [];
  for (let seed = 1; seed <= 12 && !runs.some(({ hits }) => hits.length > 0); seed += 1)
    runs.push(await run(seed, [fault]));
  return runs;
}

test('there is a switch for all that has to go wrong, and for nothing else', () => {
  const names = [...machinery, staleReads].map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.values(wanted).flat().toSorted());
});

test('no two switches have one name', () => {
  const names = switches.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('API servers that break their word strike nobody by chance', () => {
  expect(switches).toContain(staleReads);
  expect(faults).not.toContain(staleReads);
});

describe('alone, each strikes, tells so, and does no harm', () => {
  test.each(machinery.map((fault) => [fault.name, fault] as const))('%s', async (_name, fault) => {
    const runs = await untilItStrikes(fault);
    expect(runs.flatMap(({ violations }) => violations)).toEqual([]);
    expect(new Set(runs.flatMap(({ hits }) => hits.map((hit) => hit.split(' ')[0])))).toEqual(
      new Set([fault.name]),
    );
    expect(runs.flatMap(({ said }) => said)).not.toEqual([]);
  });
});

test('reads from an older state strike where they are asked for', async () => {
  expect((await untilItStrikes(staleReads)).flatMap(({ hits }) => hits)).not.toEqual([]);
});

test('the same seed brings the same', async () => {
  const [one, other] = [await run(7, machinery), await run(7, machinery)];
  expect(one.hits.length).toBeGreaterThan(20);
  expect(other).toEqual(one);
});
