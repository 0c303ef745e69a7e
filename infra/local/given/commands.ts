import type { ClusterName } from './clusters.ts';

/**
 * What decides a drain where the Nodes are. The owners of Pods, up to the Deployment, say how many Pods there should be: a
 * run needs them.
 */
export const workloadKinds =
  'nodes,pods,pdb,replicasets,deployments,statefulsets,jobs,daemonsets,namespaces,pv,pvc,volumeattachments,' +
  'validatingwebhookconfigurations,mutatingwebhookconfigurations';

/** What decides it where the Machines are. */
export const managementKinds = 'machines,clusters,machinedrainrules';

/** Kinds to dump from an OpenShift cluster, as `kubectl get` takes them. */
export const openShiftKinds = `machines.machine.openshift.io,${workloadKinds}`;

/** Names that a shell takes for nothing else. */
const plain = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/** The commands that get the second dump, and the option that gives it. */
export function workloadCommand(cluster: ClusterName): string {
  const isPlain = plain.test(cluster.name) && plain.test(cluster.namespace);
  const { namespace, name } = isPlain ? cluster : { namespace: 'NAMESPACE', name: 'CLUSTER' };
  return (
    `kubectl get secret ${name}-kubeconfig -n ${namespace} -o jsonpath='{.data.value}' | base64 -d > ${name}.kubeconfig && ` +
    `kubectl --kubeconfig ${name}.kubeconfig get ${workloadKinds} -A -o yaml > ${name}.yaml, ` +
    `then --load-workload ${namespace}/${name}=${name}.yaml`
  );
}

/** The same where the Nodes are in the cluster of the Machines. */
export const openShiftCommand = `oc get ${openShiftKinds} -A -o yaml > dump.yaml, then --load dump.yaml`;
