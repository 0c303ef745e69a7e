import { type Fleet, listMachines } from '../fleet.ts';
import type { KubeconfigFile } from './kubeconfig-file.ts';
import type { Invitation } from './reporter.ts';

/** What to type in another terminal while a local cluster is served. */
export async function kubectlInvitation(
  fleet: Fleet,
  { path, isReplacement }: Pick<KubeconfigFile, 'path' | 'isReplacement'>,
): Promise<Invitation> {
  const last = (await listMachines(fleet)).at(-1)?.target;
  const { namespace, name } = last ?? { namespace: 'NAMESPACE', name: 'NAME' };
  const kubectl = `kubectl --kubeconfig ${path}`;
  // By their short name kubectl would show those of one Machine API only.
  const all = fleet.machineApis.map(({ dialect: { plural, group } }) => `${plural}.${group}`);
  const isOnlyOne = all.length === 1;
  const group = (last?.api ?? fleet.machineApis[0])?.dialect.group;
  const machine = isOnlyOne ? 'machine' : `machines.${group}`;
  const replaced = `${path} was there already, of a run that still serves or was killed: it leads here now.`;
  const lines = [
    ...(isReplacement ? [replaced] : []),
    'Serving until Ctrl-C. In another terminal:',
    `  ${kubectl} get ${isOnlyOne ? 'machines' : all.join(',')} -A`,
    `  ${kubectl} -n ${namespace} describe ${machine} ${name}`,
    `  ${kubectl} -n ${namespace} delete ${machine} ${name} --wait=false`,
    `  ${kubectl} get events -A`,
  ];
  return { kubeconfig: path, isReplacement, lines };
}

export const clusterInvitation: Invitation = {
  kubeconfig: undefined,
  isReplacement: false,
  lines: [
    'Serving until Ctrl-C: Machines that are deleted in the cluster are taken through their phases here.',
  ],
};
