import { type Fleet, listMachines } from '../fleet.ts';
import type { Invitation } from './reporter.ts';

/** What to type in another terminal while a local cluster is served. */
export async function kubectlInvitation(fleet: Fleet, kubeconfig: string): Promise<Invitation> {
  const last = (await listMachines(fleet)).at(-1)?.target;
  const { namespace, name } = last ?? { namespace: 'NAMESPACE', name: 'NAME' };
  const kubectl = `kubectl --kubeconfig ${kubeconfig}`;
  // By their short name kubectl would show those of one Machine API only.
  const all = fleet.machineApis.map(({ dialect: { plural, group } }) => `${plural}.${group}`);
  const isOnlyOne = all.length === 1;
  const group = (last?.api ?? fleet.machineApis[0])?.dialect.group;
  const machine = isOnlyOne ? 'machine' : `machines.${group}`;
  const lines = [
    'Serving until Ctrl-C. In another terminal:',
    `  ${kubectl} get ${isOnlyOne ? 'machines' : all.join(',')} -A`,
    `  ${kubectl} -n ${namespace} describe ${machine} ${name}`,
    `  ${kubectl} -n ${namespace} delete ${machine} ${name} --wait=false`,
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
