import type { Result } from './result.ts';
import type { Setting } from './setting.ts';

type Column = readonly [title: string, cell: (result: Result) => string];

const whole = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(0));
const tenths = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(1));

/** `50 x 20`: Machines, and Pods on each; the letter of a named scenario. */
export const nameOf = ({ scenario, machines, pods }: Setting): string =>
  scenario === 'fleet' ? `${machines} x ${pods}` : scenario;

const which: readonly Column[] = [
  ['scenario', ({ setting }) => nameOf(setting)],
  ['instances', ({ setting }) => whole(setting.instances)],
];

const times: readonly Column[] = [
  ...which,
  ['seconds', ({ seconds }) => tenths(seconds)],
  ['median', ({ deletionSeconds }) => tenths(deletionSeconds.median)],
  ['slowest', ({ deletionSeconds }) => tenths(deletionSeconds.slowest)],
  ['step p50 ms', ({ stepMilliseconds }) => whole(stepMilliseconds.p50)],
  ['p99 ms', ({ stepMilliseconds }) => whole(stepMilliseconds.p99)],
  ['in flight', ({ mostInFlight }) => whole(mostInFlight)],
  ['refused', ({ refusedDeliveries }) => whole(refusedDeliveries)],
  ['retries', ({ retries }) => whole(retries)],
  ['429', ({ throttled }) => whole(throttled)],
  ['conflicts', ({ conflicts }) => whole(conflicts)],
  ['given up', ({ givenUp }) => whole(givenUp)],
  ['twice', ({ podsEvictedTwice }) => whole(podsEvictedTwice)],
  ['CPU s', ({ cpuSeconds }) => tenths(cpuSeconds['phaseout'] ?? 0)],
  ['of theirs', ({ cpuSeconds }) => tenths(cpuSeconds['Cluster API'] ?? 0)],
  ['of the API', ({ cpuSeconds }) => tenths(cpuSeconds['API server'] ?? 0)],
  ['KiB/Machine', ({ kibibytesPerMachine = Number.NaN }) => tenths(kibibytesPerMachine)],
];

const verbs = ['get', 'list', 'watch', 'create', 'patch', 'delete', 'evict'] as const;

const requests: readonly Column[] = [
  ...which,
  ['ours', (result) => whole(result.requests)],
  ['theirs', ({ theirs }) => whole(theirs)],
  ['both', ({ both }) => whole(both)],
  ['per Machine', ({ requestsPerMachine }) => tenths(requestsPerMachine)],
  ...verbs.map((verb): Column => [verb, ({ requestsByVerb }) => whole(requestsByVerb[verb] ?? 0)]),
];

/** Two tables, and in words what they lack. */
export function tablesOf(results: readonly Result[]): string {
  const unfinished = results
    .filter(({ left }) => left > 0)
    .map(({ setting, left }) => `${left} of ${setting.machines} Machines were left after an hour.\n`);
  const isMeasured = results.some(({ kibibytesPerMachine }) => kibibytesPerMachine !== undefined);
  const lacks = isMeasured ? '' : 'Memory is measured with node --expose-gc.\n';
  return `${aligned(times, results)}\n${aligned(requests, results)}${unfinished.join('')}${lacks}`;
}

function aligned(columns: readonly Column[], results: readonly Result[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...results.map((result) => columns.map(([, cell]) => cell(result))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ')}\n`)
    .join('');
}
