import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { listOf } from '../../../shared/text/truncate.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { numberAt } from '../kubernetes/server/json.ts';
import { isUnenforceable } from './admission-policies.ts';
import { isKubeconfig } from './kubeconfigs.ts';
import { isMaker } from './makers.ts';
import { machineGroups } from './served-apis.ts';
import { isSimulated, sayDaemonSet, withLocalProvider } from './stand-ins.ts';

export interface Loading {
  manifests: readonly Manifest[];
  objects: readonly Manifest[];
  made: readonly KubeObject[];
  leftOut: readonly Manifest[];
  /** Finalizers are as they were given. */
  isOnlyShown: boolean;
}

/** What was done to the manifests, one line each, for people to read. */
export function notesOn({ manifests, objects, made, leftOut, isOnlyShown }: Loading): string[] {
  const secrets = manifests.filter(({ object }) => isKubeconfig(object)).length;
  const unenforced = manifests.filter(({ object }) => isUnenforceable(object));
  const provided = objects.filter(
    ({ object }) => !isOnlyShown && withLocalProvider(object) !== object && isSimulated(object),
  );
  const all = objects.map(({ object }) => object);
  const toCome = machinesToCome(all);
  const idle = all.filter((object) => isMaker(object) && object.kind !== 'MachineSet');
  const daemonSets = made.filter(({ kind }) => kind === 'DaemonSet');
  const otherMade = made.filter(({ kind }) => kind !== 'DaemonSet');
  const replacing = manifests.filter(({ replaces }) => replaces !== undefined);
  const notes: [number, string][] = [
    [
      replacing.length,
      `given more than once, so the last one counts: ${listOf(replacing.map(sayReplacing), 5)}`,
    ],
    [
      secrets,
      `kubeconfig Secrets replaced by ones for the local API (${secrets}): no other cluster is contacted`,
    ],
    [
      provided.length,
      `finalizers replaced by the local provider's on ${kinds(provided.map(({ object }) => object))}`,
    ],
    [otherMade.length, `not in the manifests, so assumed to be there: ${kinds(otherMade)}`],
    [daemonSets.length, `not given, so assumed to be there: ${daemonSets.map(sayDaemonSet).join(', ')}`],
    [
      toCome,
      `made at the start of a run, because MachineSets ask for more than the manifests have: ${toCome} Machine`,
    ],
    [idle.length, `no Machines are made here from ${kinds(idle)}: only MachineSets make them`],
    [
      unenforced.length,
      `left out, because nothing here can enforce them: ${kinds(unenforced.map(({ object }) => object))}`,
    ],
    [leftOut.length, `left out, of no matter here: ${kinds(leftOut.map(({ object }) => object))}`],
  ];
  return notes.filter(([count]) => count > 0).map(([, text]) => text);
}

/** `Node n1 (b.yaml:1, not a.yaml:7)`. */
const sayReplacing = ({ from, replaces = '', object: { kind, metadata } }: Manifest): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name} (${from}, not ${replaces})`;

/** `2 AWSMachine, 1 Cluster`. */
function kinds(objects: readonly KubeObject[]): string {
  const byKind = Map.groupBy(objects, ({ kind }) => kind ?? '');
  return [...byKind].map(([kind, members]) => `${members.length} ${kind}`).join(', ');
}

const groups: ReadonlySet<string> = new Set(machineGroups);

/** How many Machines the sets lack, those that are being deleted not counted. */
function machinesToCome(objects: readonly KubeObject[]): number {
  const ofMachineApis = objects.filter((object) => groups.has(groupVersionOf(object).group));
  const alive = ofMachineApis.filter(
    ({ kind, metadata }) => kind === 'Machine' && metadata.deletionTimestamp === undefined,
  );
  const owners = alive.flatMap(({ metadata }) =>
    (metadata.ownerReferences ?? []).filter(({ controller }) => controller === true).map(({ uid }) => uid),
  );
  return ofMachineApis
    .filter(({ kind, metadata }) => kind === 'MachineSet' && metadata.deletionTimestamp === undefined)
    .map((set) => {
      const owned = owners.filter((uid) => uid === set.metadata.uid).length;
      return Math.max(0, (numberAt(set, 'spec', 'replicas') ?? 1) - owned);
    })
    .reduce((total, count) => total + count, 0);
}
