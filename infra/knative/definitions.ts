import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

const infra = new URL('../', import.meta.url);

/** Written by hand, and the same in every cluster. */
export const definitionFiles = {
  'drain-rules': ['crds/machinedrainrules.yaml'],
  hooks: ['crds/deletionhooks.yaml'],
  'drain-policies': ['crds/drainpolicies.yaml'],
  admission: ['admission/machine-drain-rules.yaml', 'admission/machine-lifecycle-hooks.yaml'],
  'admission-beside': ['admission/beside-registration.yaml', 'admission/beside-rights.yaml'],
  'admission-beside-hooks': ['admission/beside-pre-terminate.yaml'],
  'admission-beside-openshift': ['admission/beside-openshift.yaml'],
  viewer: ['viewer/viewer.yaml'],
  'viewer-workload': ['viewer/viewer-workload.yaml'],
  page: ['page/page.yaml'],
} as const;

export const readDefinition = (path: string): Promise<string> => readFile(new URL(path, infra), 'utf8');

/** The definition of MachineDrainRules, DeletionHooks or DrainPolicies, or the admission policies: those for all, or for mode beside. */
export async function readDefinitions(of: keyof typeof definitionFiles): Promise<KubeObject[]> {
  const texts = await Promise.all(definitionFiles[of].map(readDefinition));
  return texts.flatMap((text) => parseAllDocuments(text).map((document): KubeObject => document.toJS()));
}
