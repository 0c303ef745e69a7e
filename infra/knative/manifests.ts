import { Document, isMap, isScalar } from 'yaml';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { configVariables } from '../../shared/runtime/config-variables.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import type { RenderOptions } from './options.ts';
import { type Group, renderGroups } from './render.ts';

/** Files by their paths, which have slashes. */
export type Files = Map<string, string>;

/** A folder for `kubectl apply -k`, or for a kustomization of one's own. */
export const renderManifests = (file: ServerlessFile, options: RenderOptions): Files =>
  kustomization(renderGroups(file, options));

const apiVersions = {
  Kustomization: 'kustomize.config.k8s.io/v1beta1',
  Component: 'kustomize.config.k8s.io/v1alpha1',
} as const;

interface Kustomized {
  kind?: keyof typeof apiVersions;
  /** Fields beside the resources. */
  with?: object;
}

/** A file for each group, and the one that lists them. */
export function kustomization(
  groups: readonly Group[],
  { kind = 'Kustomization', with: fields }: Kustomized = {},
): Files {
  const files = groups.map(({ name, objects }) => [`${name}.yaml`, textOf(objects)] as const);
  const resources = files.length === 0 ? {} : { resources: files.map(([path]) => path) };
  return new Map([
    ['kustomization.yaml', textOf([{ apiVersion: apiVersions[kind], kind, ...resources, ...fields }])],
    ...files,
  ]);
}

/** The first line of every file, by which they are known again. */
export const header =
  '# Rendered from serverless.yml. What is changed here is lost when it is rendered again.\n';

/** Objects as a file for people and kubectl. */
export const textOf = (objects: readonly object[]): string =>
  header + objects.map((object) => documentOf(object).toString(layout)).join('---\n');

const layout = { lineWidth: 0 };

function documentOf(object: object): Document {
  // Aliases are valid YAML, but readers do not expect them in a manifest.
  // Words such as `on` and `no` are text to YAML 1.2, and not to kubectl.
  const document = new Document(object, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  if (isConfigMap(object)) explain(document);
  return document;
}

const isConfigMap = (object: object): object is KubeObject => 'kind' in object && object.kind === 'ConfigMap';

const meanings = new Map(Object.values(configVariables).map(({ name, meaning }) => [name, meaning]));

/** What each variable means, where it is set. */
function explain(document: Document): void {
  const data = document.get('data');
  if (!isMap(data)) return;
  for (const { key } of data.items) {
    const meaning = isScalar(key) ? meanings.get(String(key.value)) : undefined;
    if (isScalar(key) && meaning !== undefined) key.commentBefore = ` ${meaning}`;
  }
}
