import { stringify } from 'yaml';
import { besideApis, type MachineApiName } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { mergeDifference } from '../../shared/write/status.ts';
import type { MachineApiVersions } from '../serverless/for-machine-apis.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import { definitionFiles, readDefinition } from './definitions.ts';
import { hookWatchdog, hookWatchdogComponent } from './hook-watchdog.ts';
import { installationOf } from './installation.ts';
import { recommendedLabels } from './manifest.ts';
import { type Files, kustomization } from './manifests.ts';
import { machineApiChoices, type RenderOptions } from './options.ts';
import { haveWorkloadClusters, workloadClusterObjects } from './rbac.ts';
import { type Group, renderGroups } from './render.ts';

/** A Machine API for which there is a component, by the name of its folder. */
const components: Readonly<Record<string, MachineApiVersions>> = Object.fromEntries(
  Object.entries(machineApiChoices).map(([name, { api, apiVersion }]) => [name, { [api]: apiVersion }]),
);

/** Ready to be applied, by their components. */
const overlays: Readonly<Record<string, readonly string[]>> = {
  capi: ['capi'],
  'capi-v1beta1': ['capi-v1beta1'],
  openshift: ['openshift'],
  v1alpha1: ['v1alpha1'],
  all: ['capi', 'openshift', 'v1alpha1'],
};

/** Folders of infra/manifests that do not come from serverless.yml. */
const handWritten = ['observability'];

/** Whether a file of infra/manifests is written by hand. */
export const isHandWritten = (path: string): boolean =>
  handWritten.some((folder) => path.startsWith(`${folder}/`));

/**
 * infra/manifests: what is common, what each Machine API adds, and both together for the usual clusters. Clusters that
 * have Nodes alone get folders of their own.
 */
export async function renderRepository(file: ServerlessFile): Promise<Files> {
  const base = renderGroups(file, { machineApis: {} });
  const beside = shared(
    added(base, renderGroups(file, { machineApis: components['capi'] ?? {} })),
    renderGroups(file, { machineApis: components['openshift'] ?? {} }),
  );
  const folders: [string, Files][] = [
    ['base', kustomization(base)],
    ...Object.entries(components).map(([name, machineApis]): [string, Files] => [
      `machine-apis/${name}`,
      kustomization(added([...base, ...beside], renderGroups(file, { machineApis })), { kind: 'Component' }),
    ]),
    [`machine-apis/${besideFolder}`, kustomization(beside, { kind: 'Component' })],
    ['dynamodb-local', dynamodbComponent(file, base)],
    ...Object.entries(overlays).map(([name, of]): [string, Files] => [name, overlay(file, base, of)]),
    ...haveWorkloadClusters.map((name): [string, Files] => [
      `workload-clusters/${name}`,
      workloadCluster(file, name),
    ]),
    ['workload-clusters/capi-replace', workloadCluster(file, 'capi', {})],
    ['workload-clusters/capi-actions', workloadCluster(file, 'capi', { ...file.environment, ...allActions })],
    ['workload-clusters/capi-replace-actions', workloadCluster(file, 'capi', allActions)],
    ['workload-clusters/capi-observe', workloadCluster(file, 'capi', { PHASEOUT_MODE: 'observe' })],
    ['dead-man', hookWatchdogFolder(file)],
    ...(await definitionFolders(file)),
  ];
  return new Map(
    folders.flatMap(([folder, files]) =>
      [...files].map(([path, text]) => [`${folder}/${path}`, text] as const),
    ),
  );
}

/** What `deploy --actions` grants. */
const allActions = { PHASEOUT_ACTIONS: 'rollout-restart,delete' };

/** What several Machine APIs have in common that are beside their own controllers: a component of its own. */
const besideFolder = 'beside';

/** The objects that the others have as well, or those that they lack. */
function compared(groups: readonly Group[], others: readonly Group[], isInBoth: boolean): Group[] {
  const known = new Set(others.flatMap(({ objects }) => objects.map(identityOf)));
  const isKept = (object: KubeObject): boolean => known.has(identityOf(object)) === isInBoth;
  return groups
    .map(({ name, objects }) => ({ name, objects: objects.filter(isKept) }))
    .filter(({ objects }) => objects.length > 0);
}

const shared = (groups: readonly Group[], others: readonly Group[]): Group[] =>
  compared(groups, others, true);

/** The objects that the base does not have. */
const added = (base: readonly Group[], groups: readonly Group[]): Group[] => compared(groups, base, false);

const withBeside = (of: readonly string[]): readonly string[] =>
  of.some((name) => Object.keys(components[name] ?? {}).some((api) => besideApis.some((one) => one === api)))
    ? [besideFolder, ...of]
    : of;

function overlay(file: ServerlessFile, base: readonly Group[], of: readonly string[]): Files {
  const machineApis: MachineApiVersions = Object.assign({}, ...of.map((name) => components[name]));
  return kustomization([], {
    with: {
      resources: ['../base'],
      components: withBeside(of).map((name) => `../machine-apis/${name}`),
      patches: patches(base, renderGroups(file, { machineApis })),
    },
  });
}

function dynamodbComponent(file: ServerlessFile, base: readonly Group[]): Files {
  const options: RenderOptions = { machineApis: {}, dynamodbLocal: true };
  const groups = renderGroups(file, options);
  // Only the Job's name differs, since it depends on the store.
  const lasting = groups.filter(({ name }) => name !== 'table');
  return kustomization(added(base, lasting), {
    kind: 'Component',
    with: { patches: patches(base, lasting) },
  });
}

const workloadCluster = (
  file: ServerlessFile,
  machineApi: MachineApiName,
  environment = file.environment,
): Files =>
  kustomization([{ name: 'rbac', objects: workloadClusterObjects(file, machineApi, environment) }], {
    with: ownLabels(file, 'workload-cluster'),
  });

const hookWatchdogFolder = (file: ServerlessFile): Files =>
  kustomization(
    [{ name: hookWatchdogComponent, objects: hookWatchdog(installationOf(file, { machineApis: {} })) }],
    { with: ownLabels(file, hookWatchdogComponent) },
  );

/**
 * For what does not go with the installation. Without the label managed-by: in the cluster of the installation
 * `phaseout deploy` would take it for a leftover.
 */
const ownLabels = (file: ServerlessFile, component: string): object => ({
  labels: [{ pairs: recommendedLabels(file, component) }],
});

/** The differences of those that it has. */
function patches(base: readonly Group[], groups: readonly Group[]): object[] {
  const known = new Map(base.flatMap(({ objects }) => objects.map((object) => [identityOf(object), object])));
  return groups.flatMap(({ objects }) =>
    objects.flatMap((object) => {
      const difference = mergeDifference(known.get(identityOf(object)), object);
      return known.has(identityOf(object)) && difference !== undefined ? [patch(object, difference)] : [];
    }),
  );
}

const patch = ({ apiVersion, kind, metadata: { name, namespace } }: KubeObject, difference: unknown) => ({
  patch: stringify({ apiVersion, kind, metadata: { name, namespace }, ...Object(difference) }),
});

const identityOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string =>
  [apiVersion, kind, namespace, name].join(' ');

/** The objects as they were written. */
const definitionFolders = (file: ServerlessFile): Promise<[string, Files][]> =>
  Promise.all(
    Object.entries(definitionFiles).map(async ([folder, paths]): Promise<[string, Files]> => {
      const names = paths.map((path) => path.replace(/^.*\//, ''));
      const texts = await Promise.all(paths.map(readDefinition));
      const files = names.map((name, index): [string, string] => [name, texts[index] ?? '']);
      const fields = { resources: names, ...ownLabels(file, folder) };
      return [folder, new Map([...kustomization([], { with: fields }), ...files])];
    }),
  );
