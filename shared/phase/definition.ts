import type { Dialect } from '../dialects/dialect.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { Instant } from '../time/clock.ts';
import type { Conclusion, Decision } from './decision.ts';
import type { NodeSearchResult, Snapshot } from './snapshot.ts';

/** The Machine of a phase, and what is known of it before the phase's own observation. */
export interface Subject {
  machine: Machine;
  dialect: Dialect;
  checkpoint: Checkpoint;
  surroundings: ClusterState;
  /** Whether the Machine's Node may be drained and deleted at all. */
  nodeDeletion: NodeDeletion;
  /** The result of the search for its Node; absent if there was none. */
  nodeSearch?: NodeSearchResult;
}

/**
 * One phase: what it looks at, and what follows from it. `observe` only reads, through a Snapshot. `decide` is
 * synchronous and pure: the same function serves the run, the plan and the simulation.
 */
export interface PhaseDefinition<Seen> {
  name: Phase;
  observe(snapshot: Snapshot, subject: Subject): Promise<Seen>;
  decide(subject: Subject, seen: Seen, now: Instant): Decision;
  /** The report, and when to look again, if the world could not be read. Pure. */
  onUnavailable(subject: Subject, why: string, now: Instant): Conclusion;
}

/** What a phase has seen, and what it decides from that. */
export interface Look<Seen = unknown> {
  seen: Seen;
  decide: (now: Instant) => Decision;
}

/** A phase without the type of what it sees. Only its own `observe` and `decide` know that type. */
export interface AnyPhase {
  name: Phase;
  look(snapshot: Snapshot, subject: Subject): Promise<Look>;
  onUnavailable(subject: Subject, why: string, now: Instant): Conclusion;
}

/** A phase, with the type of what it sees. */
export type DefinedPhase<Seen> = PhaseDefinition<Seen> & {
  look(snapshot: Snapshot, subject: Subject): Promise<Look<Seen>>;
};

/** Declares a phase. The type of what it sees stays between its two functions. */
export function definePhase<Seen>(definition: PhaseDefinition<Seen>): DefinedPhase<Seen> {
  return {
    ...definition,
    async look(snapshot, subject) {
      const seen = await definition.observe(snapshot, subject);
      const judged = withOwnNode(subject, snapshot);
      return { seen, decide: (now) => definition.decide(judged, seen, now) };
    },
  };
}

/** Puts in the name of the Machine's own Node, if the Machine names another server's. */
function withOwnNode(subject: Subject, { observed: { ownership } }: Snapshot): Subject {
  if (ownership?.kind !== 'own' || ownership.name === subject.machine.nodeName) return subject;
  return { ...subject, machine: { ...subject.machine, nodeName: ownership.name } };
}

/** When the phase was handed on, by the checkpoint. */
export const reachedAt = ({ checkpoint: { reached, since } }: Pick<Subject, 'checkpoint'>): Instant =>
  Date.parse(reached ?? since);

/**
 * The time, or the deletion's if that is later. Nothing of a deletion began before its request. A clock that was
 * behind may have dated it so, and a time limit would end early.
 */
export const sinceDeletion = ({ deletionTimestamp = -Infinity }: Machine, at: Instant): Instant =>
  Math.max(at, deletionTimestamp);

/** Start of the phase the checkpoint is in. */
export const phaseStart = ({ checkpoint, machine }: Pick<Subject, 'checkpoint' | 'machine'>): Instant =>
  sinceDeletion(machine, Date.parse(checkpoint.since));

/** When the phase was handed on. */
export const handedOnAt = ({ checkpoint, machine }: Pick<Subject, 'checkpoint' | 'machine'>): Instant =>
  sinceDeletion(machine, reachedAt({ checkpoint }));
