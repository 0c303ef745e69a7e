import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { isMachineOfAnyApi, nameOf, sayCluster } from './clusters.ts';
import { listed } from './given-machine.ts';

/** Which MachineDrainRules decide nothing: a rule is for the Machines of its own namespace. */
export function idleRuleNotes(objects: readonly KubeObject[]): string[] {
  const machines = objects.filter(isMachineOfAnyApi);
  if (machines.length === 0) return [];
  const namespaces = new Set(machines.map((machine) => nameOf(machine).namespace));
  const idle = objects.filter((object) => isRule(object) && !namespaces.has(nameOf(object).namespace));
  if (idle.length === 0) return [];
  const names = listed(idle.map((rule) => sayCluster(nameOf(rule))));
  return [
    `these MachineDrainRules are without effect, because no Machine given is in their namespaces: ${names}`,
  ];
}

const isRule = (object: KubeObject): boolean =>
  object.kind === 'MachineDrainRule' && groupVersionOf(object).group === 'cluster.x-k8s.io';
