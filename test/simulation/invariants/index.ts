import type { Invariant } from './invariant.ts';

/** Everything that is always so in a simulation. */
export const invariants: readonly Invariant[] = [];
