import { fileURLToPath } from 'node:url';
import { type Manifest, readManifests } from '../../terminal/manifests.ts';

/** The Machine APIs that there is an example fleet of. */
export type ExampleName = 'capi' | 'openshift' | 'v1alpha1';

/** The manifests of an example fleet. */
export const readExample = (name: ExampleName): Promise<Manifest[]> =>
  readManifests([fileURLToPath(new URL(`${name}.yaml`, import.meta.url))]);
