/** Whoever deletes a Machine waits for us by this. */
export const finalizer = 'machine.cluster.x-k8s.io';
