import type { Machine } from '../machine/machine.ts';

/** What holds a deleting Machine for phaseout: while it is on the Machine, the deletion is ours to carry on. */
export interface Hold {
  /** For people: `the finalizer machine.cluster.x-k8s.io`. */
  name: string;
  isOn(machine: Pick<Machine, 'finalizers' | 'raw'>): boolean;
}

/** The hold of an API whose controller phaseout replaces. */
export const finalizerHold = (finalizer: string): Hold => ({
  name: `the finalizer ${finalizer}`,
  isOn: ({ finalizers }) => finalizers.includes(finalizer),
});
