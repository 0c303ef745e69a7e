import type { Resource } from '../../../shared/kubernetes/client.ts';
import { pathOf } from '../../cluster/kinds.ts';
import { machines } from '../../cluster/stories/objects.ts';
import { isHooked, populate, untilHooked, worker } from '../machines.ts';
import { expectEnd, home, type Stage } from '../stage.ts';
import { needsPeer, type Step } from '../step.ts';

const services: Resource = { group: 'serving.knative.dev', version: 'v1', plural: 'services' };
const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };
const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs' };
const cronJobs: Resource = { group: 'batch', version: 'v1', plural: 'cronjobs' };
const watchdogHome = 'phaseout-dead-man';

export const watchdog: Step = {
  name: 'watchdog',
  text: 'the watchdog of hooks leaves them while phaseout lives, and takes them off once it is gone',
  notHere: needsPeer,
  async play(stage) {
    const scene = await stage.scene('watchdog');
    await populate(stage, scene, { pods: 1 });
    await runOnce(stage, 'lives');
    if (!(await isHooked(scene))) throw new Error('the watchdog took the hook off although phaseout lives');
    await remove(stage, services, { namespace: home, name: 'phaseout' });
    // Its half hour cannot be waited for here: without a Lease the installation counts as gone, too.
    await remove(stage, leases, { namespace: home, name: 'phaseout' });
    await runOnce(stage, 'gone');
    if (await isHooked(scene)) throw new Error('the watchdog has left the hook on');
    await scene.remove(machines, worker);
    await scene.untilGone(machines, worker);
    expectEnd(await stage.deploy(), 0, 'all is ready after');
    const later = await stage.scene('after-watchdog');
    await populate(stage, later, { pods: 1 });
    await untilHooked(later);
    await later.remove(machines, worker);
    await later.untilGone(machines, worker);
  },
};

/** As `kubectl create job --from` does it. */
async function runOnce({ site, until, run }: Stage, name: string): Promise<void> {
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
}

async function remove({ site, until }: Stage, resource: Resource, key: { namespace: string; name: string }) {
  await site.ask({
    method: 'DELETE',
    path: pathOf(resource, key),
    body: { propagationPolicy: 'Foreground' },
  });
  await until(`${resource.plural} ${key.name} to be gone`, async () =>
    (await site.kubernetes.get(resource, key)) === undefined ? true : undefined,
  );
}
