import type { Dialect } from './dialect.ts';

/**
 * A Machine API whose own controller deletes its Machines, while phaseout only watches: nothing on a Machine is ours, and
 * nothing is put on one.
 */
export const observed = (dialect: Dialect): Dialect => ({
  ...dialect,
  isObserved: true,
  hold: { name: 'nothing of phaseout', isOn: () => false },
  finalizersOf: () => [],
  managesServers: false,
  sparesOwnMachine: false,
});
