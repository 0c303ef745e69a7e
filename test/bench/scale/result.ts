import { percentile } from '../waits.ts';
import type { Played } from './play.ts';
import type { Setting } from './setting.ts';

/** What is reported of a run; seconds and milliseconds are those of the simulation. */
export interface Result {
  setting: Setting;
  seconds: number;
  /** Machines that are still there. */
  left: number;
  deletionSeconds: { median: number; slowest: number };
  /** Of phaseout, of Cluster API's own controller beside it, and of both. */
  requests: number;
  theirs: number;
  both: number;
  requestsPerMachine: number;
  requestsByVerb: Readonly<Record<string, number>>;
  requestsByKind: Readonly<Record<string, number>>;
  theirsByKind: Readonly<Record<string, number>>;
  /** Asked again after no answer, or one that only put it off. */
  retries: number;
  /** Answers 429, of a budget or of priority and fairness. */
  throttled: number;
  conflicts: number;
  /** Given up by phaseout, whose time was over. */
  givenUp: number;
  mostInFlight: number;
  /** Deliveries that an instance did not take or could not finish, which the Broker repeats. */
  refusedDeliveries: number;
  podsEvicted: number;
  podsEvictedTwice: number;
  steps: number;
  stepMilliseconds: { p50: number; p99: number };
  /** On the slower computer, if it is one. */
  cpuSeconds: Readonly<Record<string, number>>;
  /** Of the heap, what instances hold for each Machine; undefined where the collector cannot be asked. */
  kibibytesPerMachine: number | undefined;
}

export function resultOf(
  { setting, world, seconds, deletionSeconds }: Played,
  kibibytesPerMachine: number | undefined,
): Result {
  const { tally, steps, cores, peer } = world;
  const { machines } = setting;
  const byKind = sorted(tally.requests);
  const theirs = peer?.tally.total ?? 0;
  return {
    setting,
    seconds,
    left: machines - deletionSeconds.length,
    deletionSeconds: { median: percentile(deletionSeconds, 0.5), slowest: percentile(deletionSeconds, 1) },
    requests: tally.total,
    theirs,
    both: tally.total + theirs,
    requestsPerMachine: tally.total / machines,
    requestsByVerb: summed(byKind.map(([kind, count]) => [verbOf(kind), count])),
    requestsByKind: Object.fromEntries(byKind),
    theirsByKind: Object.fromEntries(sorted(peer?.tally.requests ?? new Map())),
    retries: tally.retries,
    throttled: tally.throttled,
    conflicts: tally.conflicts,
    givenUp: tally.givenUp,
    mostInFlight: tally.mostInFlight,
    refusedDeliveries: tally.refusedDeliveries,
    podsEvicted: tally.evicted,
    podsEvictedTwice: tally.evictedTwice,
    steps: steps.milliseconds.length,
    stepMilliseconds: { p50: percentile(steps.milliseconds, 0.5), p99: percentile(steps.milliseconds, 0.99) },
    cpuSeconds: summed(cores.workers().map(({ name, used }) => [name, (used * setting.slowness) / 1_000])),
    kibibytesPerMachine,
  };
}

const sorted = (counts: ReadonlyMap<string, number>): [kind: string, count: number][] =>
  [...counts].toSorted(([, one], [, other]) => other - one);

const verbOf = (kind: string): string => (kind.endsWith('/eviction') ? 'evict' : (kind.split(' ')[0] ?? ''));

function summed(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, value] of entries) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}
