import type { Move } from './decision.ts';
import type { CouldNotLook } from '../kubernetes/errors.ts';

/** Where the deletion has to go back to before the server goes, and why. */
export interface StepBack {
  to: 'drain' | 'volume-detach';
  why: string;
}

export const goBack = ({ to, why }: StepBack): Move => ({ kind: 'retreat', to, message: why });

export const podsAgain: StepBack = { to: 'drain', why: 'Pods that must go have appeared on the Node again' };

export const schedulableAgain: StepBack = { to: 'drain', why: 'Pods may be scheduled onto the Node again' };

export const volumesAgain: StepBack = {
  to: 'volume-detach',
  why: 'volumes have been attached to the Node again',
};

export const unknownAgain = (to: StepBack['to'], error: CouldNotLook): StepBack => ({
  to,
  why: unknownNow(error.message),
});

/** What is unknown, whatever it is that could not be read. */
export const unknownNow = (why: string): string => `nobody can tell what is on the Node by now: ${why}`;
