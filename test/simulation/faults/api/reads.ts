import { refusals } from '../../wire/invented.ts';
import type { Fault } from '../fault.ts';
import { isRead, requestFault } from './request-fault.ts';

const isNext = (query: Readonly<Record<string, string>>): boolean => query['continue'] !== undefined;

/** Lists that come in small pages, and pages that have expired. */
export const pages: readonly Fault[] = [
  requestFault({
    name: 'partial-pages',
    about: 'Lists come in pages of one or a few objects.',
    becomes: 'are answered by small pages',
    courses: ['in bursts', 'for long'],
    fits: ({ verb }) => verb === 'list',
    fate: (_exchange, { random }) => ({ pages: random.oneOf([1, 1, 2, 3]) }),
  }),
  requestFault({
    name: 'pages-lost',
    about: 'A list breaks off after some of its pages: 410, or 500.',
    becomes: 'are answered by pages of which a later one fails',
    courses: ['in bursts', 'in full bursts'],
    fits: ({ verb }) => verb === 'list',
    fate: ({ query }, { random }) =>
      isNext(query) && random.chance(0.7)
        ? { answer: random.oneOf([refusals.expired, refusals.internal]) }
        : { pages: 1 },
  }),
];

/**
 * Kept out of what strikes at random: we ask for the latest state and the API promises it. Here it breaks its word, as
 * no API server should.
 */
export const staleReads: Fault = requestFault({
  name: 'stale-reads',
  about:
    'Objects and lists are answered as they were some changes ago, although the latest state was asked for.',
  becomes: 'are answered from an older state',
  fits: isRead,
  fate: (_exchange, { random }) => ({ stale: random.between(1, 5) }),
});

/** What a step rests on: the Pods of a Node, its volumes, the infrastructure, and what judges them. */
export const decisive =
  /^(pods|nodes|volumeattachments|persistentvolumes|daemonsets|machinedrainrules|generic\w+)(\.|$)/;

/** Of all that is read these are few, and most depends on them. Who asks again right away must not get away with it. */
export const readsFail: Fault = requestFault({
  name: 'reads-fail',
  about: 'What a step rests on cannot be read: the Pods of a Node, its volumes, the infrastructure.',
  becomes: 'fail',
  courses: ['in full bursts'],
  fits: (exchange) => isRead(exchange) && decisive.test(exchange.resource),
  fate: (_exchange, { random }) =>
    random.oneOf([
      { answer: refusals.internal },
      { answer: refusals.unavailable },
      { answer: refusals.notFoundPage },
      { lost: 'before' },
    ]),
});
