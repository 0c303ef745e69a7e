import type { Carrier } from '../assess/stage.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';

/** Who has to act for a deletion to go on. */
export interface Actor {
  who:
    | Carrier
    | 'hook-owner'
    | 'budget-owner'
    | 'policy'
    | 'pods'
    | 'volumes'
    | 'infrastructure'
    | 'bootstrap'
    | 'finalizer-owner'
    | 'operator';
  /** For people: `local-hook-owner (move-traffic)`. */
  name: string;
  /** Who can help, and where it says how; absent where no DeletionHook says it. */
  help?: readonly string[];
}

/** `held`: somebody else has to act; `late`: longer than 15 minutes in its phase; `progressing`: neither. */
export type State = 'held' | 'late' | 'progressing';

/** When a step is given up, and what happens then. */
export interface GivenUp {
  afterSeconds: number;
  /** RFC 3339; absent while the time has not begun. */
  at?: string;
  afterwards: string;
}

/** Where the deletion of one Machine stands, from the Machine alone. Times are RFC 3339. */
export interface DeletionStatus {
  machine: MachineRef;
  /** Its Cluster, where it names one. */
  cluster?: string;
  /** Its Node, where it names one. */
  node?: string;
  /** Whether there is a deletion at all, and who carries it on. */
  carriedBy: Carrier;
  /** Absent where the API shows no progress. */
  phase?: Phase;
  /** When the phase began; absent where the Machine does not say. */
  since?: string;
  deletedAt: string;
  waitsFor: { reason: string; message: string };
  acts: Actor;
  /** When it is looked at next; only where the store was asked. */
  looksAt?: string;
  /** Within so many seconds it is looked at again, whatever happens; absent where only an event ends the wait. */
  looksWithinSeconds?: number;
  /** Absent where its phase has no time limit. */
  givenUp?: GivenUp;
  state: State;
  /** 0 is the worst; of one rank the older one comes first. */
  rank: number;
}
