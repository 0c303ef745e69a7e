import type { Fault } from '../fault.ts';
import { storeFault } from './store-fault.ts';

/** What becomes of calls of the table. */
export const storeCalls: readonly Fault[] = [
  storeFault({
    name: 'store-down',
    about: 'The table cannot be reached.',
    becomes: 'find nobody',
    courses: ['in bursts', 'for long'],
    fate: () => 'unreachable',
  }),
  storeFault({
    name: 'store-throttled',
    about: 'The table answers that it is asked too often.',
    becomes: 'are throttled',
    fate: () => 'throttled',
  }),
  storeFault({
    name: 'store-server-error',
    about: 'The table answers that something is wrong with it.',
    becomes: 'are answered by an internal error',
    fate: () => 'server error',
  }),
  storeFault({
    name: 'store-timeout',
    about: 'Calls of the table are neither done nor answered.',
    becomes: 'are not answered',
    fate: () => ({ timeout: 'before' }),
  }),
  storeFault({
    name: 'store-timeout-with-effect',
    about:
      'Calls of the table are done and not answered, and so are sent again: a write meets its own effect.',
    becomes: 'are done and not answered',
    fate: () => ({ timeout: 'after the effect' }),
  }),
  storeFault({
    name: 'store-conditional-write-lost',
    about: 'Only conditional writes are done and not answered, and so fail by their own effect.',
    becomes: 'are done and not answered',
    fits: ({ isConditional }) => isConditional,
    fate: (_command, { random }) =>
      random.oneOf([{ timeout: 'after the effect' }, { reset: 'after the effect' }] as const),
  }),
  storeFault({
    name: 'store-late-effect',
    about: 'Calls of the table are done when nobody waits for them any more.',
    becomes: 'are done late',
    fate: () => ({ timeout: 'late effect' }),
  }),
  storeFault({
    name: 'store-connection-lost',
    about: 'The connection to the table breaks, before or after a call is done.',
    becomes: 'are cut off',
    fate: (_command, { random }) => ({ reset: random.oneOf(['before', 'after the effect'] as const) }),
  }),
  storeFault({
    name: 'store-stale',
    about: 'The index, and what was not asked for as of now, is some changes behind.',
    becomes: 'are answered from an older state',
    fits: ({ mayBeStale }) => mayBeStale,
    fate: (_command, { random }) => ({ stale: random.between(1, 6) }),
  }),
  storeFault({
    name: 'store-partial-pages',
    about: 'The table answers by small pages.',
    becomes: 'are answered by small pages',
    fits: ({ name }) => name.startsWith('Query'),
    fate: (_command, { random }) => ({ page: random.between(1, 2) }),
  }),
];
