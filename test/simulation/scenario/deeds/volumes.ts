import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import type { World } from '../../world.ts';
import { isGoing } from '../blockers/case.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import { buildPod } from '../build/workloads.ts';
import { aPod } from '../draw/draft.ts';
import type { Deed } from '../model.ts';

const attachments = 'volumeattachments.storage.k8s.io';

/** From the beginning there is a volume with only one sign of it, and somebody takes it off. */
export function oddVolume({ host, node = '', oddVolume: volume }: MachineBlueprint): Deed[] {
  if (volume === undefined) return [];
  const { sign, comesOffAt, podAt } = volume;
  const say = (world: World, what: string): void => world.say('a driver', `${what} on ${node} of ${host}`);
  const attached: Deed = {
    at: 0,
    run(world) {
      const found = world.cluster(host).get('nodes', undefined, node);
      if (found === undefined) return;
      if (sign === 'the Node alone') show(world, host, found, true);
      else
        attach(world.cluster(host), { name: nameOn(node), node, attached: sign === 'an attachment alone' });
      say(world, `has a volume, of which ${sign} tells,`);
    },
  };
  const detached: Deed = {
    at: comesOffAt,
    run(world) {
      const found = world.cluster(host).get('nodes', undefined, node);
      if (sign === 'the Node alone' && found !== undefined) show(world, host, found, false);
      if (sign === 'an attachment alone') detach(world.cluster(host), nameOn(node));
      say(world, 'takes off what it had');
    },
  };
  const pods = podAt === undefined ? [] : [{ at: podAt, run: (world: World) => addPod(world, host, node) }];
  return [attached, ...pods, ...(sign === 'an attachment that is none yet' ? [] : [detached])];
}

/** As volumes from before CSI are, which have no attachment. */
function show(world: World, host: string, node: KubeObject, isAttached: boolean): void {
  const volume = { name: `kubernetes.io/in-tree/${node.metadata.name}`, devicePath: '' };
  const others = listOf(at(node, 'status', 'volumesAttached')).filter(
    (each) => textAt(each, 'name') !== volume.name,
  );
  const volumesAttached = isAttached ? [...others, volume] : others;
  world.cluster(host).patch('nodes', node, { status: { volumesAttached } }, 'status');
}

const nameOn = (node: string): string => `odd-${node}`;

/** Its volume is no more, or not known yet, so that the Node cannot show it. */
export function attach(
  cluster: Cluster,
  { name, node, attached }: { name: string; node: string; attached: boolean },
): void {
  const created = cluster.create(attachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name, finalizers: ['csi.example/detach'] },
    spec: { attacher: 'csi.example', nodeName: node, source: { persistentVolumeName: name } },
  });
  cluster.patch(attachments, created, { status: { attached } }, 'status');
}

function detach(cluster: Cluster, name: string): void {
  const found = cluster.get(attachments, undefined, name);
  if (found === undefined) return;
  const freed = cluster.patch(attachments, found, { metadata: { finalizers: null } });
  if (!isGoing(freed)) cluster.remove(attachments, freed);
}

/** Past the cordon, when the drain may be over already. */
function addPod(world: World, host: string, node: string): void {
  const cluster = world.cluster(host);
  const namespace = cluster.get('namespaces', undefined, 'shop');
  const isTaken = namespace !== undefined && !isGoing(namespace);
  if (!isTaken || cluster.get('nodes', undefined, node) === undefined) return;
  const name = `${node}-beside-a-volume`;
  buildPod(world, aPod({ host, node }, { name }));
  world.say('a user', `puts the Pod shop/${name} on ${node} of ${host}`);
}
