/** The words of Cluster API's log, which alone do not say what follows from it. */
export const noNode =
  'noderef is nil: the Machine names no Node and none is known by its providerID, so nothing is drained and no Node is deleted';
