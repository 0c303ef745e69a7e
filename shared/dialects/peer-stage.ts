import type { Phase } from '../machine/phase.ts';

/** Where a Machine shows its own controller to be. */
export interface PeerStage {
  phase: Phase;
  /** Empty where it says nothing. */
  message: string;
  /** RFC 3339. */
  since?: string;
}
