import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { kubectl } from '../kubectl.ts';
import { begin, finish, populate } from '../machines.ts';
import { expectEnd, home, type Stage } from '../stage.ts';
import { needsKubectl, type Step } from '../step.ts';

/** Both begin and end without phaseout. */
export const gitops: Step = {
  name: 'package',
  text: 'the packaged folder, applied with kubectl; deploy goes on from there; then it is removed',
  notHere: needsKubectl,
  async play(stage) {
    const folder = await mkdtemp(join(tmpdir(), 'phaseout-install-'));
    try {
      const out = join(folder, 'manifests');
      const args = ['--image', stage.image, '--mode', stage.mode, '--machine-apis', 'capi', '--policies'];
      expectEnd(await stage.phaseout('package', ...args, ...stage.storeArguments, '--out', out), 0);
      await kubectl(stage, 'apply', '--server-side', '--force-conflicts', '-k', out);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await untilReady(stage);
    const scene = await stage.scene('package');
    await populate(stage, scene);
    await begin(scene);
    stage.note(`applied with kubectl: ${await finish(scene)}`);
    scene.chronicle.close();
    // What the API server and Knative fill in belongs to kubectl now.
    expectEnd(await stage.deploy('--force-conflicts'), 0, 'all is ready after');
    expectEnd(
      await stage.phaseout('remove', '--with-data'),
      0,
      `Namespace ${home} stays: deploy has not made it`,
    );
    await kubectl(stage, 'delete', 'namespace', home);
  },
};

export const serverless: Step = {
  name: 'osls',
  text: 'the Serverless Framework deploys and removes the same',
  async play(stage) {
    const image = `--image=${stage.image}`;
    const [name = '', ...values] = stage.storeArguments;
    const store = values.length === 0 ? [name] : values.map((value) => `${name}=${value}`);
    expectEnd(
      await stage.osls('deploy', image, `--mode=${stage.mode}`, '--machine-apis=capi', ...store),
      0,
      'all is ready after',
    );
    expectEnd(await stage.deploy(), 0, /\n\d+ unchanged; all is ready after/);
    expectEnd(await stage.osls('remove', '--with-data'), 0);
  },
};

const kinds: readonly Resource[] = [
  { group: 'serving.knative.dev', version: 'v1', plural: 'services' },
  { group: 'eventing.knative.dev', version: 'v1', plural: 'triggers' },
  { group: 'sources.knative.dev', version: 'v1', plural: 'apiserversources' },
  { group: 'sources.knative.dev', version: 'v1', plural: 'pingsources' },
];

/** What happens before that is found by the next sweep of everything. */
const untilReady = ({ site, until }: Stage): Promise<true> =>
  until('all to be ready', async () => {
    const lists = await Promise.all(kinds.map((kind) => site.kubernetes.list(kind, { namespace: home })));
    return lists.every(({ items }) => items.length > 0 && items.every(isReady)) ? true : undefined;
  });

function isReady({ status }: KubeObject): boolean {
  const { conditions = [] } = Object(status);
  return (
    Array.isArray(conditions) &&
    conditions.some((one) => Object(one).type === 'Ready' && Object(one).status === 'True')
  );
}
