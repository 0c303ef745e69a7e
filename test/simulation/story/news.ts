import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { newsOf } from '../../stories/stage/told-machine.ts';
import { management } from '../platform/clusters.ts';
import type { Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';

type TellNews = (host: string, whose: { kind: string; name: string }, what: string) => void;

export const nameOf = ({ metadata: { namespace, name } }: KubeObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** What users of Machines read in them, told when it changes. */
export function tellOfMachines(world: World, scenario: Scenario, tell: TellNews): void {
  const { machines } = scenario;
  const known = new Map<string, string>();
  const news = (machine: KubeObject, isNew: boolean): void => {
    for (const [about, text] of newsOf(machine)) {
      const key = `${machine.metadata.uid} ${about}`;
      if (text === undefined || (known.get(key) ?? '') === text) continue;
      known.set(key, text);
      if (isNew && text !== '') tell(management, { kind: 'Machine', name: nameOf(machine) }, text);
    }
  };
  for (const resource of new Set(machines.map((machine) => machine.resource))) {
    for (const machine of world.management.list(resource)) news(machine, false);
    world.management.watch(resource, ({ type, object }) => {
      if (type === 'DELETED') tell(management, { kind: 'Machine', name: nameOf(object) }, 'gone');
      else news(object, true);
    });
  }
}

const ending = { pods: 'Pod', nodes: 'Node', 'volumeattachments.storage.k8s.io': 'VolumeAttachment' };

/** Pods, Nodes and attachments as they go. */
export function tellOfEnds({ clusters }: World, tell: TellNews): void {
  for (const { host, cluster } of clusters.values()) {
    for (const [resource, kind] of Object.entries(ending)) {
      cluster.watch(resource, ({ type, object }) => {
        if (type === 'DELETED') tell(host, { kind, name: nameOf(object) }, `gone${fromNode(object)}`);
      });
    }
  }
}

function fromNode(object: KubeObject): string {
  const node = textAt(object, 'spec', 'nodeName');
  return node === undefined ? '' : ` from ${node}`;
}
