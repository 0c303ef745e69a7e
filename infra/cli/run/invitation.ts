import type { Host } from '../../local/platform/host.ts';
import type { Outside } from '../../terminal/outside.ts';
import { ownCommand } from '../../terminal/own-command.ts';
import { type Fleet, listMachines } from '../fleet.ts';
import type { KubeconfigFile } from './kubeconfig-file.ts';
import type { Invitation } from './reporter.ts';

/** How commands are typed. */
type Typed = Pick<Outside, 'isPlugin' | 'env'>;

/** What to type in another terminal while a local cluster is served. */
export async function kubectlInvitation(
  fleet: Fleet & Pick<Host, 'storeEndpoint'>,
  { path, isReplacement }: Pick<KubeconfigFile, 'path' | 'isReplacement'>,
  outside: Typed,
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
    `  ${historyCommand(fleet, outside)} --since 1h`,
  ];
  return { kubeconfig: path, store: fleet.storeEndpoint, isReplacement, lines };
}

const historyCommand = ({ storeEndpoint }: Pick<Host, 'storeEndpoint'>, outside: Typed): string =>
  `${ownCommand(outside)} history --endpoint ${storeEndpoint}`;

export const clusterInvitation = (host: Pick<Host, 'storeEndpoint'>, outside: Typed): Invitation => ({
  kubeconfig: undefined,
  store: host.storeEndpoint,
  isReplacement: false,
  lines: [
    'Serving until Ctrl-C: Machines that are deleted in the cluster are taken through their phases here.',
    `Their history, as long as this runs: ${historyCommand(host, outside)} --since 1h`,
  ],
});
