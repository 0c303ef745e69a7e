import type { ServerlessFile } from '../serverless/model.ts';
import type { RenderOptions } from './options.ts';
import { type Group, renderGroups } from './render.ts';
import { textOf } from './yaml.ts';

/** Files by their paths, which have slashes. */
export type Files = Map<string, string>;

/** A folder for `kubectl apply -k`, or for a kustomization of one's own. */
export const renderManifests = (file: ServerlessFile, options: RenderOptions): Files =>
  kustomization(renderGroups(file, options));

const apiVersions = {
  Kustomization: 'kustomize.config.k8s.io/v1beta1',
  Component: 'kustomize.config.k8s.io/v1alpha1',
} as const;

export interface Kustomized {
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
