import { fileURLToPath } from 'node:url';
import { type Manifest, readManifests } from '../../terminal/manifests.ts';
import type { ExampleName } from './names.ts';

const files: Readonly<Record<ExampleName, readonly string[]>> = {
  capi: ['capi.yaml'],
  openshift: ['openshift.yaml'],
  v1alpha1: ['v1alpha1.yaml'],
  hooks: ['capi.yaml', 'hooks.yaml'],
  policies: ['capi.yaml', 'policies.yaml'],
};

/** The manifests of an example fleet. */
export const readExample = (name: ExampleName): Promise<Manifest[]> =>
  readManifests(files[name].map((file) => fileURLToPath(new URL(file, import.meta.url))));
