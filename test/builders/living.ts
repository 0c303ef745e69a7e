import type { Machine } from '../../shared/machine/machine.ts';
import { aMachine } from '../shared/dialects/capi/machines.ts';

/** A worker of Cluster API that lives. */
export function aLivingMachine(parts: Partial<Machine> = {}): Machine {
  const { deletionTimestamp: _, ...machine } = aMachine();
  return { ...machine, ...parts };
}
