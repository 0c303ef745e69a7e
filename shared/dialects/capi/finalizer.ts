import type { Machine } from '../../machine/machine.ts';
import { deletedForMove } from '../../machine/move.ts';

/** A deletion waits for us by this finalizer. */
export const finalizer = 'machine.cluster.x-k8s.io';

/** It takes the finalizers off a Machine that is moved before it deletes it: put back, they would have it deleted for good. */
export const finalizersOf = ({ annotations }: Pick<Machine, 'annotations'>): readonly string[] =>
  deletedForMove in annotations ? [] : [finalizer];
