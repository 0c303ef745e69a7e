import type { Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import { compact } from '../../local/kubernetes/server/json.ts';
import { variablesIn } from '../deploy/variables.ts';
import type { NamedTable } from './options.ts';
import { NotOpen } from './way.ts';

const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps' };

/** As serverless.yml names the installation. */
const service = 'phaseout';

/** The table that the functions are told to use. Throws NotOpen, Unread. */
export async function tableOfFunctions(
  kubernetes: Pick<Kubernetes, 'get'>,
  namespace: string,
  context: string,
): Promise<NamedTable> {
  const configMap = await kubernetes.get(configMaps, { namespace, name: service });
  if (configMap === undefined)
    throw new NotOpen(
      `the cluster of context ${context} has no ConfigMap ${service} in namespace ${namespace} (--installed-in names another)`,
    );
  const variables = variablesIn([configMap]);
  const [table, endpoint, region] = ['PHASEOUT_TABLE', 'PHASEOUT_DYNAMODB_ENDPOINT', 'AWS_REGION'].map(
    (name) => variables.get(name),
  );
  if (endpoint === undefined && region === undefined)
    throw new NotOpen(
      `ConfigMap ${namespace}/${service} has neither AWS_REGION nor PHASEOUT_DYNAMODB_ENDPOINT: something else tells the functions, so tell --region`,
    );
  return compact({ table, endpoint, region });
}

/** A port of a Service. */
export interface ServiceAddress {
  namespace: string;
  service: string;
  port: number;
}

/** The Service that a URL names; undefined where it leads out of the cluster. */
export function addressInCluster(endpoint: string): ServiceAddress | undefined {
  const url = URL.parse(endpoint);
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc(\.|$)/.exec(url?.hostname ?? '') ?? [];
  if (url === null || name === undefined || namespace === undefined) return undefined;
  const usual = url.protocol === 'https:' ? 443 : 80;
  return { namespace, service: name, port: url.port === '' ? usual : Number(url.port) };
}
