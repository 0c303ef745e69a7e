import type { PlayedHook } from '../../../platform/functions/played.ts';
import type { World } from '../../../world.ts';
import type { MachineBlueprint, PodBlueprint } from '../../blueprint.ts';
import type { Draft, Site } from '../../draw/draft.ts';

/** A Machine that is being deleted, in words of a blueprint, and whether anything holds it. */
export interface Held {
  api?: Site['api'];
  /** Its Nodes are beside the Machines; OpenShift's always are. */
  isAtHome?: boolean;
  machine?: Partial<MachineBlueprint>;
  /** Where its deletion stands. */
  phase: string;
  /** How the drain was passed. */
  drained?: string;
  pod?: Partial<PodBlueprint>;
  draw?: (draft: Draft) => void;
  /** DeletionHooks, with how their functions behave. */
  functions?: readonly PlayedHook[];
  /** What happens after all of it was made. */
  afterwards?: (world: World) => void;
  /** Kind and words of what holds it; undefined where nothing does. */
  held?: string;
}

export type HeldCases = Readonly<Record<string, Held>>;

export const neverStops = { 'local.phaseout.dev/never-stops': 'true' };

export const hook = (name: string, owner = 'nobody', point: 'pre-drain' | 'pre-terminate' = 'pre-drain') => ({
  point,
  name,
  owner,
  leavesAt: undefined,
});
