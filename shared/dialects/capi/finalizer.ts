import type { Machine } from '../../machine/machine.ts';

/** A deletion waits for us by this finalizer. */
export const finalizer = 'machine.cluster.x-k8s.io';

/** Of what `clusterctl move` has copied to another cluster, and is about to delete in this one: its server lives on. */
const deletedForMove = 'clusterctl.cluster.x-k8s.io/delete-for-move';

/** It takes the finalizers off a Machine that is moved before it deletes it: put back, they would have it deleted for good. */
export const finalizersOf = ({ annotations }: Pick<Machine, 'annotations'>): readonly string[] =>
  deletedForMove in annotations ? [] : [finalizer];
