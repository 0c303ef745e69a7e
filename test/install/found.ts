import type { Resource } from '../../shared/kubernetes/client.ts';
import { nodes } from '../../shared/kubernetes/resources.ts';
import type { Site } from '../cluster/site.ts';
import type { Survey } from '../cluster/survey.ts';
import type { Options } from './options.ts';

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
};

const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps' };

interface Having {
  options: Options;
  hasKubectl: boolean;
}

/** What this cluster is made of, and what is played on it. */
export async function foundTexts(
  site: Site,
  { version, user, served, peer }: Survey,
  { options: { set }, hasKubectl }: Having,
): Promise<string[]> {
  const { server, kubernetes } = site;
  const apis = served.map(({ apiVersion }) => apiVersion).join(', ') || 'none';
  const { items } = await kubernetes.list(nodes);
  const network = await kubernetes.get(configMaps, { namespace: 'knative-serving', name: 'config-network' });
  const data = Object(Object(network).data);
  const ingress = data['ingress-class'] ?? data['ingress.class'] ?? "Knative's default";
  return [
    `${server} is Kubernetes ${version}, and you are ${user}`,
    `Knative Serving ${await releaseOf(site, 'services.serving.knative.dev')}, Eventing ${await releaseOf(site, 'brokers.eventing.knative.dev')}; ingress class ${String(ingress)}`,
    `${items.length} Nodes; Machine APIs that are there: ${apis}`,
    peer === undefined
      ? "Cluster API's own controller does not run: phaseout is installed in its place"
      : `phaseout is installed beside Cluster API's own controller: ${peer}`,
    `the store: ${set.length === 0 ? 'DynamoDB Local in the cluster' : set.join(' ')}; kubectl: ${hasKubectl ? 'yes' : 'no'}`,
    'played here: the Nodes and Pods of Machines, and their infrastructure and bootstrap provider',
  ];
}

async function releaseOf({ kubernetes }: Site, definition: string): Promise<string> {
  const found = await kubernetes.get(definitions, { name: definition });
  return found?.metadata.labels?.['app.kubernetes.io/version'] ?? 'of an unknown version';
}
