import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import { besideIn, ownLease } from './beside.ts';
import { besideComponent, besidePolicies } from './beside-policies.ts';
import { broker, eventTypes, trigger } from './broker.ts';
import { configuration } from './configuration.ts';
import { dynamodbLocal } from './dynamodb-local.ts';
import { hookKeySecret } from './hook-key.ts';
import { hookWatchdog, hookWatchdogComponent } from './hook-watchdog.ts';
import { installationOf } from './installation.ts';
import type { Installation } from './installed.ts';
import { labelled } from './manifest.ts';
import { networkPolicies } from './network-policies.ts';
import type { RenderOptions } from './options.ts';
import { rbacObjects } from './rbac.ts';
import { knativeService } from './service.ts';
import { apiServerSources, pingSource, sinkBinding } from './sources.ts';
import { tableJob } from './table.ts';

/** Objects that belong together: a file of the manifests. */
export interface Group {
  name: string;
  objects: KubeObject[];
}

/**
 * Everything that serverless.yml asks of a cluster, in the order in which it is applied. The sources come last: no
 * event is sent before its receiver exists.
 */
export const renderObjects = (file: ServerlessFile, options: RenderOptions): KubeObject[] =>
  renderGroups(file, options).flatMap(({ objects }) => objects);

/** The same in groups. */
export function renderGroups(written: ServerlessFile, options: RenderOptions): Group[] {
  const installation = installationOf(written, options);
  return partsOf(installation)
    .map(([name, objects]) => ({
      name,
      objects: objects.map((object) => labelled(object, installation, name)),
    }))
    .filter(({ objects }) => objects.length > 0);
}

function partsOf(installation: Installation): [string, KubeObject[]][] {
  const { file, hasDynamodb, hasHookKey, environment, machineApis } = installation;
  const { apis } = besideIn(environment);
  const isBeside = apis.some((name) => machineApis.includes(name));
  return [
    ['definitions', [...installation.definitions]],
    ['namespace', [namespaceOf(installation)]],
    ['service-accounts', serviceAccounts(installation)],
    ['rbac', rbacObjects(file, installation)],
    ['network', networkPolicies(installation)],
    // Before the functions, which put hooks on.
    [hookWatchdogComponent, isBeside ? hookWatchdog(installation) : []],
    ['hook-key', hasHookKey ? hookKeySecret(installation) : []],
    ['configuration', [configuration(installation), ...(isBeside ? [ownLease(installation)] : [])]],
    ['store', hasDynamodb ? dynamodbLocal(installation) : []],
    ['table', [tableJob(installation)]],
    ['broker', [broker(installation)]],
    // Before the Services, so that these have the Broker's address from their first instance on.
    ['sink-bindings', file.services.map(({ name }) => sinkBinding(name, installation))],
    ['functions', file.services.map((service) => knativeService(service, installation))],
    ['triggers', file.triggers.map((each) => trigger(each, installation))],
    ['event-types', eventTypes(installation)],
    [
      'sources',
      [
        ...file.apiServerSources.flatMap((source) => apiServerSources(source, installation)),
        ...file.pingSources.map((source) => pingSource(source, installation)),
      ],
    ],
    [besideComponent, isBeside ? besidePolicies(installation.besidePolicies, installation) : []],
  ];
}

const namespaceOf = ({ file: { namespace } }: Installation): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { 'bindings.knative.dev/include': 'true' } },
});

function serviceAccounts({ file, namespaces }: Installation): KubeObject[] {
  const { functions, sources, table } = file.serviceAccounts;
  const { namespace } = file;
  return [
    account(functions, namespace),
    // The set-up of the table asks Kubernetes for nothing.
    { ...account(table, namespace), automountServiceAccountToken: false },
    ...(namespaces ?? [namespace]).map((each) => account(sources, each)),
  ];
}

const account = (name: string, namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace },
});
