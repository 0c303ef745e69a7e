/** `clusterctl move` puts it on a Machine that it has copied to another cluster, where its server lives on. */
export const deletedForMove = 'clusterctl.cluster.x-k8s.io/delete-for-move';
