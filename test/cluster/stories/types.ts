import { definitionFiles, readDefinitions } from '../../../infra/knative/definitions.ts';
import { collectionOf } from '../../../shared/adapters/kubernetes/request.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { resourceOf, resources } from '../kinds.ts';
import type { Scene } from '../scene.ts';
import { needsPolicies, type Story } from './story.ts';

const policyFiles = [
  'admission',
  'admission-beside',
  'admission-beside-openshift',
] as const satisfies readonly (keyof typeof definitionFiles)[];

/** Without a binding a policy holds nowhere: all of them can be there at once, whatever mode is installed. */
export const types: Story = {
  name: 'types',
  text: 'the API server takes every policy and definition of every mode, and finds nothing wrong in their types',
  notHere: needsPolicies,
  async tell(scene) {
    for (const definition of await readDefinitions('drain-rules')) await wouldBeTaken(scene, definition);
    const objects = (await Promise.all(policyFiles.map(readDefinitions))).flat();
    const policies = objects.filter(({ kind }) => kind?.endsWith('AdmissionPolicy'));
    const made: KubeObject[] = [];
    for (const policy of policies) {
      const resource = resourceOf(policy);
      if (
        (await scene.site.kubernetes.discover(resource.group, policy.kind ?? '', resource.version)) ===
        undefined
      )
        continue;
      const metadata = { name: scene.global(policy.metadata.name) };
      made.push(await scene.make({ ...policy, metadata }));
    }
    const warnings = await Promise.all(made.filter(isValidating).map((policy) => warningsOf(scene, policy)));
    if (warnings.flat().length > 0) throw new Error(warnings.flat().join('\n'));
  },
};

const isValidating = ({ kind }: KubeObject): boolean => kind === 'ValidatingAdmissionPolicy';

/** It is there already where Cluster API brings it: the name is looked at last. */
async function wouldBeTaken({ site }: Scene, definition: KubeObject): Promise<void> {
  const { path } = collectionOf(resources.definitions);
  const { code, body } = await site.ask({ method: 'POST', path, query: 'dryRun=All', body: definition });
  if (code !== 201 && code !== 409)
    throw new Error(`${definition.metadata.name} is refused: ${JSON.stringify(body)}`);
}

/** The API server checks types in its own time, and writes its findings into the status. */
function warningsOf(scene: Scene, { metadata: { name } }: KubeObject): Promise<string[]> {
  return scene.until(`the types of ${name} to be checked`, async () => {
    const found = await scene.site.kubernetes.get(resources.policies, { name });
    const { observedGeneration, typeChecking } = Object(found?.['status']);
    if (observedGeneration !== found?.metadata.generation) return undefined;
    const { expressionWarnings = [] } = Object(typeChecking);
    return Array.isArray(expressionWarnings)
      ? expressionWarnings.map((one) => `${name}: ${JSON.stringify(one)}`)
      : [];
  });
}
