import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import { at, listOf, textAt } from '../../../../infra/local/kubernetes/json.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import type { MachinePlan } from '../model.ts';
import { type DeedSetting, later } from './deed.ts';

const attachments = 'volumeattachments.storage.k8s.io';

/** What a Node shows of itself, and what the attachments of its cluster show. */
type Sign = 'the Node alone' | 'an attachment alone' | 'an attachment that is none yet';
const signs: readonly Sign[] = ['the Node alone', 'an attachment alone', 'an attachment that is none yet'];

/** As volumes from before CSI are, which have no attachment. */
function showOnNode({ world }: FaultSetting, { host }: MachinePlan, node: KubeObject): () => void {
  const cluster = world.cluster(host);
  const { name, uid } = node.metadata;
  const volume = { name: `kubernetes.io/in-tree/${name}`, devicePath: '' };
  const shown = (object: KubeObject): readonly unknown[] =>
    listOf(at(object, 'status', 'volumesAttached')).filter((each) => textAt(each, 'name') !== volume.name);
  const show = (object: KubeObject, volumesAttached: readonly unknown[]): void =>
    void cluster.patch('nodes', object, { status: { volumesAttached } }, 'status');
  show(node, [...shown(node), volume]);
  return () => {
    const found = cluster.get('nodes', undefined, name);
    if (found !== undefined && found.metadata.uid === uid) show(found, shown(found));
  };
}

/** Its volume is no more, or not known yet, so that the Node cannot show it. */
function attach(
  { world }: FaultSetting,
  { host }: MachinePlan,
  node: KubeObject,
  attached: boolean,
): () => void {
  const cluster = world.cluster(host);
  const { name } = node.metadata;
  const metadata = { name: `odd-${name}`, finalizers: ['csi.example/detach'] };
  const created = cluster.create(attachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata,
    spec: { attacher: 'csi.example', nodeName: name, source: { persistentVolumeName: `odd-${name}` } },
  });
  cluster.patch(attachments, created, { status: { attached } }, 'status');
  return () => {
    const found = cluster.get(attachments, undefined, metadata.name);
    if (found !== undefined) cluster.patch(attachments, found, { metadata: { finalizers: null } });
  };
}

/** What is attached comes off in time; what is not attached does so when everybody gives in. */
function attachOddly(setting: DeedSetting, plan: MachinePlan, sign: Sign): void {
  const { world, random } = setting;
  const node = world.cluster(plan.host).get('nodes', undefined, plan.node ?? '');
  if (node === undefined) return;
  const detach =
    sign === 'the Node alone'
      ? showOnNode(setting, plan, node)
      : attach(setting, plan, node, sign === 'an attachment alone');
  world.say('a driver', `has a volume on ${plan.node} of ${plan.host} of which ${sign} tells`);
  world.hit(oddVolumes.name);
  if (sign !== 'an attachment that is none yet') later(setting, random.between(5_000, 60_000), detach);
}

/** Volumes by which it shows who looks at one sign of them only, or at the wrong one. */
export const oddVolumes: Fault = {
  name: 'volumes-odd',
  about: 'Only the Node tells of a volume, or only an attachment does; another one is not attached yet.',
  strike(setting) {
    const { world, scenario, random, lasts } = setting;
    const until = world.now() + lasts;
    const nodes = new Map(
      scenario.machines
        .filter(({ api, node }) => api === 'capi' && node !== undefined)
        .map((plan) => [`${plan.host} ${plan.node}`, plan]),
    );
    for (const plan of random.some([...nodes.values()], 0.7))
      attachOddly({ ...setting, until }, plan, random.oneOf(signs));
    return undefined;
  },
};
