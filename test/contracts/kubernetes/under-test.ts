import type { Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject, Pod } from '../../../shared/kubernetes/objects.ts';

/** An API server with nothing of ours in namespace `default`, and a client of it. */
export interface KubernetesUnderTest {
  kubernetes: Kubernetes;
  /** Creates what the port cannot. */
  seed(resource: string, object: KubeObject): KubeObject;
  /** Makes older resourceVersions expire. */
  compact(): void;
  stop(): Promise<void>;
}

/** What is under test, once it has started. */
export type Given = () => KubernetesUnderTest;

export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps' };
export const namespace = 'default';

export function configMap(name: string, more: Record<string, unknown> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...more } };
}

export function pod(name: string, more: { labels?: Record<string, string>; namespace?: string } = {}): Pod {
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, ...more }, spec };
}

export function uidOf({ metadata }: KubeObject): string {
  return metadata.uid ?? '';
}

export async function created(
  kubernetes: Kubernetes,
  resource: Resource,
  object: KubeObject,
): Promise<KubeObject> {
  const outcome = await kubernetes.create(resource, object);
  if (outcome.kind !== 'written') throw new Error(`not created: ${JSON.stringify(outcome)}`);
  return outcome.object;
}
