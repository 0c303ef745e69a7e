import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readManifests } from '../../terminal/manifests.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import type { Options } from './options.ts';
import { type Api, apis, examples, type Template } from './templates.ts';

/** What Machines are made from: the author's own, or our examples. Throws UsageError and ManifestUnreadable. */
export async function readTemplates(
  options: Pick<Options, 'machineFile' | 'clusterFile' | 'api'>,
): Promise<[Template, ...Template[]]> {
  const { machineFile, clusterFile, api } = options;
  const cluster = clusterFile === undefined ? undefined : await only(clusterFile, 'Cluster');
  if (machineFile !== undefined) return [await templateIn(machineFile, cluster, api)];
  if (api !== undefined) return [withCluster(examples[api], cluster, false)];
  return [examples.openshift, withCluster(examples.v1alpha1, cluster, true)];
}

async function templateIn(
  file: string,
  cluster: KubeObject | undefined,
  asked: Api | undefined,
): Promise<Template> {
  const machine = await only(file, 'Machine');
  const api = machine.apiVersion === apis.openshift ? 'openshift' : 'v1alpha1';
  if (machine.apiVersion !== apis[api]) {
    throw new UsageError(
      `${file}: a Machine of ${apis.openshift} or ${apis.v1alpha1}, not of ${machine.apiVersion}`,
    );
  }
  if (asked !== undefined && asked !== api) throw new UsageError(`${file}: not a Machine of --api ${asked}`);
  return withCluster({ ...examples[api], machine }, cluster, false);
}

function withCluster(template: Template, cluster: KubeObject | undefined, isExample: boolean): Template {
  const isOwn = cluster !== undefined && template.api === 'v1alpha1';
  return { ...template, isExample, ...(isOwn && { cluster }) };
}

/** The one object of this kind in the file. */
async function only(file: string, kind: string): Promise<KubeObject> {
  const found = (await readManifests([file])).filter(({ object }) => object.kind === kind);
  const [first, second] = found;
  if (first === undefined) throw new UsageError(`${file}: there is no ${kind}`);
  if (second !== undefined) throw new UsageError(`${file}: there is more than one ${kind}`);
  return first.object;
}
