import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { at } from '../kubernetes/server/json.ts';
import { isMaker } from '../load/makers.ts';
import { isMachineOfAnyApi, nameOf, sayCluster } from './clusters.ts';
import { managementKinds, openShiftCommand } from './commands.ts';
import { listed } from './given-machine.ts';

/** Of a dump without Machines: what makes them, and how to get those there are. */
export function onlyMakersNotes(objects: readonly KubeObject[]): string[] {
  if (objects.some(isMachineOfAnyApi)) return [];
  const found = objects.filter((object) => isMaker(object) || hasTopology(object));
  if (found.length === 0) return [];
  const isOpenShift = found.every((object) => groupVersionOf(object).group === 'machine.openshift.io');
  const command = isOpenShift
    ? openShiftCommand
    : `kubectl get ${managementKinds} -A -o yaml > dump.yaml, then --load dump.yaml`;
  return [
    `no Machine was given, only what makes Machines: ${listed(found.map(say))}. Here only a MachineSet makes them, once a run begins`,
    `to get the Machines: ${command}`,
  ];
}

const hasTopology = (object: KubeObject): boolean =>
  object.kind === 'Cluster' &&
  groupVersionOf(object).group === 'cluster.x-k8s.io' &&
  at(object, 'spec', 'topology') !== undefined;

const say = (object: KubeObject): string =>
  `${object.kind} ${sayCluster(nameOf(object))}${hasTopology(object) ? ' (by its topology)' : ''}`;
