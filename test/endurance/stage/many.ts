import { readExample } from '../../../infra/local/examples/read-example.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Manifest } from '../../../infra/terminal/manifests.ts';

const template = 'worker-3';
const podsEach = 2;

/** Machines of these names, like one of the example but without a set. Each has its objects, its Node and two Pods. */
export async function manyMachines(names: readonly string[]): Promise<Manifest[]> {
  const likeThese = (await readExample('capi')).filter(({ object }) => object.metadata.name === template);
  return names.flatMap((name) => [
    ...likeThese.map(({ from, object }) => ({ from, object: named(name, object) })),
    ...Array.from({ length: podsEach }, (_, index) => ({ from: name, object: podOn(name, index) })),
  ]);
}

function named(name: string, object: KubeObject): KubeObject {
  const renamed: KubeObject = JSON.parse(JSON.stringify(object).replaceAll(`"${template}"`, `"${name}"`));
  const { ownerReferences: _, labels = {}, ...metadata } = renamed.metadata;
  const { 'cluster.x-k8s.io/set-name': __, ...others } = labels;
  const spec = { ...Object(renamed['spec']), ...providerIdOf(renamed, name) };
  return { ...renamed, metadata: { ...metadata, labels: others }, spec };
}

const providerIdOf = ({ kind }: KubeObject, name: string): object =>
  kind === 'LocalBootstrapConfig' ? {} : { providerID: `local://${name}` };

const podOn = (nodeName: string, index: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `on-${nodeName}-${index}`, namespace: 'shop' },
  spec: { nodeName, containers: [{ name: 'c', image: 'registry.example/app:1' }] },
});
