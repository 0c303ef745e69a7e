import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from '../runtime/environment.ts';

/** A Machine at the place where its deletion stands. */
interface Standing {
  machine: Machine;
  checkpoint: Pick<Checkpoint, 'seq'>;
}

/** Whether this instance has tried the phase itself, which counts where no status tells of it. */
export const hasTried = ({ cache }: Environment, { machine, checkpoint }: Standing): boolean =>
  cache.attempts.of(machine.ref.uid, checkpoint.seq) === 'tried';

/** This instance has tried the phase: whatever can be written down of it, time limits count from its start. */
export const noteTry = ({ cache }: Environment, { machine, checkpoint }: Standing): void =>
  cache.attempts.note(machine.ref.uid, checkpoint.seq, 'tried');

/** This instance could not tell whether the phase is to be tried, whatever can be written down of that. */
export const noteUndecided = ({ cache }: Environment, { machine, checkpoint }: Standing): void =>
  cache.attempts.note(machine.ref.uid, checkpoint.seq, 'undecided');
