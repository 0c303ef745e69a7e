import type { Resource } from '../../../shared/kubernetes/client.ts';
import { pathOf } from '../../cluster/kinds.ts';
import { killInstances } from '../functions.ts';
import { begin, finish, isHooked, populate } from '../machines.ts';
import { expectEnd, home, type Stage } from '../stage.ts';
import { needsPeer, type Step } from '../step.ts';

const services: Resource = { group: 'serving.knative.dev', version: 'v1', plural: 'services' };
const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };
const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs' };
const cronJobs: Resource = { group: 'batch', version: 'v1', plural: 'cronjobs' };
const watchdogHome = 'phaseout-dead-man';

export const watchdog: Step = {
  name: 'watchdog',
  text: 'the watchdog leaves the hook of a Machine in mid-drain while phaseout lives, and takes it off once it is gone',
  notHere: needsPeer,
  async play(stage) {
    const scene = await stage.scene('watchdog');
    const wishes = { pods: 1, slowMilliseconds: 60_000 };
    await populate(stage, scene, wishes);
    await begin(scene);
    await scene.untilSeen('Pod slow asked to go');
    await runOnce(stage, 'lives');
    if (!(await isHooked(scene))) throw new Error('the watchdog took the hook off although phaseout lives');
    await stop(stage);
    await runOnce(stage, 'gone');
    if (await isHooked(scene)) throw new Error('the watchdog has left the hook on');
    stage.note(`without phaseout: ${await finish(scene, wishes)}`);
    scene.chronicle.close();
    expectEnd(await stage.deploy(), 0, 'all is ready after');
  },
};

/** Its half hour cannot be waited for here: an installation without a Lease counts as gone at once. */
async function stop(stage: Stage): Promise<void> {
  await remove(stage, services, { namespace: home, name: 'phaseout' });
  await stage.until('the last instance to be gone', async () =>
    (await killInstances(stage)) === 0 ? true : undefined,
  );
  await remove(stage, leases, { namespace: home, name: 'phaseout' });
}

/** As `kubectl create job --from` does it. */
async function runOnce(stage: Stage, name: string): Promise<void> {
  const { site, until, run } = stage;
  const found = await site.kubernetes.get(cronJobs, { namespace: watchdogHome, name: watchdogHome });
  const { spec } = Object(Object(found?.['spec']).jobTemplate);
  const key = { namespace: watchdogHome, name: `test-${run}-${name}` };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: key, spec };
  const made = await site.kubernetes.create(jobs, job);
  if (made.kind !== 'written') throw new Error(`the watchdog's Job: ${made.kind}`);
  await until('the watchdog to end', async () => {
    const { status } = Object(await site.kubernetes.get(jobs, key));
    const { succeeded = 0, failed = 0 } = Object(status);
    if (failed > 0) throw new Error('the watchdog has failed: its Pod says why');
    return succeeded > 0 ? true : undefined;
  });
  await remove(stage, jobs, key);
}

async function remove({ site, until }: Stage, resource: Resource, key: { namespace: string; name: string }) {
  await site.ask({
    method: 'DELETE',
    path: pathOf(resource, key),
    body: { propagationPolicy: 'Background' },
  });
  await until(`${resource.plural} ${key.name} to be gone`, async () =>
    (await site.kubernetes.get(resource, key)) === undefined ? true : undefined,
  );
}
