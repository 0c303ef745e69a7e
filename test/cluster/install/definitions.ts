import { readDefinitions } from '../../../infra/knative/definitions.ts';
import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { customResourceDefinition } from '../../../infra/local/kubernetes/crds/definition.ts';
import { openShiftDefinitions } from '../../../infra/local/kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../../../infra/local/kubernetes/crds/v1alpha1.ts';
import { collectionOf } from '../../../shared/adapters/kubernetes/request.ts';
import type { MachineApiName } from '../../../shared/dialects/registry.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { resources } from '../kinds.ts';
import { whyNot } from '../make.ts';
import { type Site, testLabel } from '../site.ts';
import { until } from '../until.ts';

/** A kind of server and one of bootstrap config, such as a provider of Cluster API would have. */
const providerDefinitions = [
  ['infrastructure.cluster.x-k8s.io', 'PhaseoutTestMachine'],
  ['bootstrap.cluster.x-k8s.io', 'PhaseoutTestConfig'],
].map(([group = '', kind = '']) =>
  customResourceDefinition({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    // Which version of the contract they keep; older ones of Cluster API know the first alone.
    labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2', 'cluster.x-k8s.io/v1beta2': 'v1beta2' },
    versions: [{ name: 'v1beta2', subresources: { status: {} } }],
  }),
);

const ofApi: Readonly<Record<MachineApiName, readonly KubeObject[]>> = {
  capi: clusterApiDefinitions().filter(({ spec }) => kindOf(spec) !== 'MachineDrainRule'),
  openshift: openShiftDefinitions.filter(({ spec }) => kindOf(spec) === 'Machine'),
  v1alpha1: v1alpha1Definitions.filter(({ spec }) => kindOf(spec) !== 'MachineSet'),
};

function kindOf(spec: unknown): unknown {
  const names: unknown =
    typeof spec === 'object' && spec !== null && 'names' in spec ? spec.names : undefined;
  return typeof names === 'object' && names !== null && 'kind' in names ? names.kind : undefined;
}

/**
 * Makes the kinds that are missing, and leaves the others alone. It leaves all of Cluster API's alone where its own
 * controller runs. Resolves with the names of those made.
 */
export async function installDefinitions(site: Site, run: string, hasPeer: boolean): Promise<string[]> {
  const drainRules = await readDefinitions('drain-rules');
  const { capi, ...others } = ofApi;
  const ofClusterApi = hasPeer ? [] : [...capi, ...drainRules];
  const wanted = [...ofClusterApi, ...Object.values(others).flat(), ...providerDefinitions];
  const made: string[] = [];
  for (const definition of wanted) {
    const { name, labels } = definition.metadata;
    if ((await site.kubernetes.get(resources.definitions, { name })) !== undefined) continue;
    const metadata = { ...definition.metadata, labels: { ...labels, [testLabel]: run } };
    const outcome = await site.kubernetes.create(resources.definitions, { ...definition, metadata });
    if (outcome.kind === 'conflict') continue;
    if (outcome.kind !== 'written') throw new Error(`${name}: ${whyNot(outcome)}`);
    made.push(name);
  }
  await Promise.all(made.map((name) => established(site, name)));
  return made;
}

async function established(site: Site, name: string): Promise<void> {
  const { clock, interrupted: signal } = site;
  const waiting = { clock, signal, deadline: clock.now() + 30_000 };
  await until(`CustomResourceDefinition ${name} to be served`, waiting, async () => {
    const found = await site.kubernetes.get(resources.definitions, { name });
    const { group, versions, names } = Object(found?.['spec']);
    const resource = {
      group: String(group),
      version: String(versions.at(-1).name),
      plural: String(names.plural),
    };
    const { code } = await site.ask({ method: 'GET', path: collectionOf(resource).path, query: 'limit=1' });
    return code === 200 ? true : undefined;
  });
}
