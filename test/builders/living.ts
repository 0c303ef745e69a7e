import type { Machine } from '../../shared/machine/machine.ts';
import { aMachine } from './cluster-api.ts';

/** A worker of Cluster API that lives. */
export function aLivingMachine(parts: Partial<Machine> = {}): Machine {
  const { deletionTimestamp: _, ...machine } = aMachine();
  const { annotations = machine.annotations } = parts;
  const metadata = { ...machine.raw.metadata, annotations };
  return { ...machine, raw: { ...machine.raw, metadata }, ...parts };
}
