import { describe, expect, it } from 'vitest';
import { refuseWrongMode } from '../../../../infra/cli/deploy/refuse-mode.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);

const deployment = (args: string[] = [], replicas = 1): KubeObject => ({
  metadata: { namespace: 'capi-system', name: 'capi-controller-manager' },
  spec: { replicas, template: { spec: { containers: [{ args }] } } },
});
const lease = (secondsAgo: number, name = 'controller-leader-election-capi'): KubeObject => ({
  metadata: { namespace: 'system', name },
  spec: { renewTime: new Date(now - secondsAgo * 1_000).toISOString() },
});

/** A cluster with these Deployments and Leases. */
const site = (deployments: KubeObject[], leases: KubeObject[]) => {
  const list = async ({ plural }: { plural: string }) => ({
    items: plural === 'leases' ? leases : deployments,
    resourceVersion: '1',
  });
  return { kubernetes: { list }, clock: { now: () => now } };
};

const asked = async (at: ReturnType<typeof site>, isBeside: boolean, isForced = false): Promise<string> => {
  const machineApis = { capi: 'cluster.x-k8s.io/v1beta2' };
  return refuseWrongMode(at, { machineApis, besideApis: isBeside ? ['capi'] : [], isForced }).then(
    () => 'fits',
    (error: Error) => error.message.split(':')[0] ?? '',
  );
};

const runs = "Cluster API's own controller runs";
const runsNot = "Cluster API's own controller does not run";

describe('a mode fits, or is refused, where', () => {
  it.each<[what: string, at: ReturnType<typeof site>, beside: string, replace: string]>([
    ['its Lease was just renewed, whatever its Deployment is called', site([], [lease(59)]), 'fits', runs],
    ['its Lease was renewed a minute ago', site([], [lease(60)]), runsNot, 'fits'],
    ['another Lease was just renewed', site([], [lease(1, 'other')]), runsNot, 'fits'],
    ['its Deployment is up, without a Lease', site([deployment()], []), 'fits', runs],
    ['its Deployment was scaled to none', site([deployment([], 0)], [lease(300)]), runsNot, 'fits'],
    [
      'it has no Machine to look after, and renews its Lease',
      site([deployment(['--watch-filter=left-to-phaseout'])], [lease(1)]),
      runsNot,
      'fits',
    ],
    ['nothing is there', site([], []), runsNot, 'fits'],
  ])('%s', async (_what, at, beside, replace) => {
    expect([await asked(at, true), await asked(at, false)]).toEqual([beside, replace]);
  });

  it('is not asked for where the user forces it', async () => {
    expect([
      await asked(site([], []), true, true),
      await asked(site([deployment()], []), false, true),
    ]).toEqual(['fits', 'fits']);
  });

  it('is not asked for without Cluster API', async () => {
    const wanted = { machineApis: {}, besideApis: ['capi'], isForced: false };
    await expect(refuseWrongMode(site([], []), wanted)).resolves.toBeUndefined();
  });

  it.each<[what: string, leases: KubeObject[], beside: string, replace: string]>([
    [
      'OpenShift’s Lease was renewed in the last three minutes, on whatever cloud',
      [lease(179, 'cluster-api-provider-aws-leader')],
      'fits',
      "OpenShift's own Machine controller runs",
    ],
    [
      'OpenShift’s Lease was renewed before that',
      [lease(180, 'cluster-api-provider-vsphere-leader')],
      "OpenShift's own Machine controller does not run",
      'fits',
    ],
    [
      'only Cluster API’s controller renews its Lease',
      [lease(1)],
      "OpenShift's own Machine controller does not run",
      'fits',
    ],
  ])('%s', async (_what, found, beside, replace) => {
    const machineApis = { openshift: 'machine.openshift.io/v1beta1' };
    const answer = (besideApis: string[]) =>
      refuseWrongMode(site([], found), { machineApis, besideApis, isForced: false }).then(
        () => 'fits',
        (error: Error) => error.message.split(':')[0] ?? '',
      );
    expect([await answer(['openshift']), await answer([])]).toEqual([beside, replace]);
  });
});
