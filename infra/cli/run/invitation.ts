import type { MachineName } from '../options.ts';
import type { Invitation } from './reporter.ts';

/** What to type in another terminal while a local cluster is served. */
export function kubectlInvitation(kubeconfig: string, { namespace, name }: MachineName): Invitation {
  const kubectl = `kubectl --kubeconfig ${kubeconfig}`;
  const lines = [
    'Serving until Ctrl-C. In another terminal:',
    `  ${kubectl} get machines -A`,
    `  ${kubectl} -n ${namespace} describe machine ${name}`,
    `  ${kubectl} -n ${namespace} delete machine ${name} --wait=false`,
    `  ${kubectl} get events -A`,
  ];
  return { kubeconfig, lines };
}

export const clusterInvitation: Invitation = {
  kubeconfig: undefined,
  lines: [
    'Serving until Ctrl-C: Machines that are deleted in the cluster are taken through their phases here.',
  ],
};
