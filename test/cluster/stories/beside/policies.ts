import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { collectionOf } from '../../../../shared/adapters/kubernetes/request.ts';
import { registeredAnnotation } from '../../../../shared/dialects/beside/hook.ts';
import { inCapiVersion, pathOf } from '../../kinds.ts';
import type { Scene } from '../../scene.ts';
import { openSite, testLabel } from '../../site.ts';
import { machineOf } from '../capi-machine.ts';
import { machines, makeCluster } from '../objects.ts';
import { needsMutatingPolicies, needsPolicies, type Story } from '../story.ts';
import { hookIn, makeHeld } from './held.ts';

const on = 'worker-1';

/** Of a Machine, what its own controller alone may change, and what is said to phaseout when it tries. */
const refusals: readonly (readonly [patch: object, says: RegExp])[] = [
  [{ metadata: { finalizers: null } }, /phaseout may not change finalizers, labels or owners of a Machine/],
  [{ metadata: { labels: { a: 'b' } } }, /phaseout may not change finalizers, labels or owners of a Machine/],
  [{ spec: { version: 'v1.36.3' } }, /phaseout may not change the spec of a Machine/],
  [
    { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } },
    /phaseout may change annotations of its own only, and not cluster\.x-k8s\.io\/paused/,
  ],
];

export const rights: Story = {
  name: 'rights',
  text: 'what a policy refuses of our ServiceAccount: all of a Machine but annotations of ours',
  notHere: needsPolicies,
  async tell(scene) {
    await makeCluster(scene);
    await makeHeld(scene, on);
    const { installation, site } = scene;
    const ours = openSite(loadKubeConfig({ file: installation.functions }), site);
    const path = pathOf(inCapiVersion(machines, installation.capi), scene.key(on));
    // Tried only: an API server holds to a policy some time after it was made.
    const attempt = (body: object) => ours.ask({ method: 'PATCH', path, query: 'dryRun=All', body });
    try {
      for (const [patch, says] of refusals)
        await scene.until(`${JSON.stringify(patch)} to be refused with ${says}`, async () => {
          const { code, body } = await attempt(patch);
          return (code === 403 && says.test(String(Object(body).message))) || undefined;
        });
      const { code, body } = await attempt({ metadata: { annotations: { 'phaseout.dev/a-test': 'b' } } });
      if (code !== 200) throw new Error(`an annotation of ours is refused: ${JSON.stringify(body)}`);
    } finally {
      await ours.close();
    }
  },
};

/** No deletion can begin before that. */
export const registered: Story = {
  name: 'registered',
  text: 'a Machine that has the hook from its first version on, by a policy',
  notHere: needsMutatingPolicies,
  async tell(scene) {
    await makeCluster(scene);
    await scene.until('the policy to hold', async () => hasHook(scene, await wouldMake(scene)) || undefined);
    if (!hasHook(scene, await scene.make(machineOf(scene, on, {}))))
      throw new Error('the Machine was made without the hook');
  },
};

function hasHook(scene: Scene, made: unknown): boolean {
  const { annotations = {} } = Object(Object(made).metadata);
  return annotations[hookIn(scene)] === 'phaseout.dev' && annotations[registeredAnnotation] === '1';
}

/** What the API server would make of a Machine. */
async function wouldMake(scene: Scene): Promise<unknown> {
  const resource = inCapiVersion(machines, scene.installation.capi);
  const { status: _, ...machine } = machineOf(scene, 'probe', { labels: { [testLabel]: scene.run } });
  const { path } = collectionOf(resource, scene.namespace);
  const body = { ...machine, apiVersion: `${resource.group}/${resource.version}` };
  const { code, body: made } = await scene.site.ask({ method: 'POST', path, query: 'dryRun=All', body });
  if (code !== 201) throw new Error(`no Machine can be made: ${JSON.stringify(made)}`);
  return made;
}
