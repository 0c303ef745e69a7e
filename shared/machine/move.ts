import type { Machine } from './machine.ts';

/** Of what `clusterctl move` has copied to another cluster, and is about to delete in this one: its server lives on. */
export const deletedForMove = 'clusterctl.cluster.x-k8s.io/delete-for-move';

/** Whether `clusterctl move` takes the Machine to another management cluster. */
export const isMoved = ({ annotations }: Pick<Machine, 'annotations'>): boolean =>
  deletedForMove in annotations;
