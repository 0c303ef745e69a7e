import type { Fault } from './fault.ts';

/** Every kind of thing that goes wrong in a simulation. */
export const faults: readonly Fault[] = [];
