import { deeds } from '../scenario/deeds/index.ts';
import { staleReads } from './api/reads.ts';
import type { Fault } from './fault.ts';
import { machinery } from './machinery.ts';

/** Every kind of thing that goes wrong in a simulation. */
export const faults: readonly Fault[] = [...machinery, ...deeds];

/** Every switch: those that strike at random, and those that strike only where they are asked for. */
export const switches: readonly Fault[] = [...faults, staleReads];
