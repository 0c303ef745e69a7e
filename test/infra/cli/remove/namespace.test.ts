import { describe, expect, it } from 'vitest';
import type { Happening } from '../../../../infra/cli/deploy/report.ts';
import type { Site } from '../../../../infra/cli/deploy/site.ts';
import { removeNamespace } from '../../../../infra/cli/remove/namespace.ts';
import type { KubernetesForTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { quickClock } from '../quick-clock.ts';
import { unaskedCluster } from '../unasked-cluster.ts';

const namespace: KubeObject = {
  metadata: {
    name: 'phaseout',
    uid: 'n-1',
    labels: { 'app.kubernetes.io/managed-by': 'phaseout' },
    annotations: { 'phaseout.dev/made-by-deploy': 'true' },
  },
};

/** What comes of the namespace of an installation in which there is this alone, beside nothing that is defined there. */
async function removedWith(kind: string, object: object): Promise<{ told: Happening[]; deleted: string[] }> {
  const told: Happening[] = [];
  const deleted: string[] = [];
  const kubernetes: KubernetesForTools = {
    ...unaskedCluster,
    discover: (group, wanted) => Promise.resolve({ group, version: 'v1', plural: wanted }),
    get: () => Promise.resolve(deleted.length === 0 ? namespace : undefined),
    list(resource, selection) {
      const isIt = resource.plural === kind && selection?.namespace === 'phaseout';
      const items = isIt ? [{ metadata: { name: 'a' }, ...object }] : [];
      return Promise.resolve({ items, resourceVersion: '1' });
    },
    deleteWithDependents(_resource, { name }, uid) {
      deleted.push(`${name} ${uid}`);
      return Promise.resolve({ kind: 'gone' });
    },
  };
  const interrupted = new AbortController().signal;
  const tell = (happening: Happening): void => void told.push(happening);
  const site: Site = {
    kubernetes,
    service: 'phaseout',
    where: 'here',
    clock: quickClock(1_000),
    interrupted,
    tell,
    othersNode: async () => undefined,
  };
  await removeNamespace(site, 'phaseout');
  return { told, deleted };
}

describe('the namespace of an installation', () => {
  // With it goes whatever is in it.
  it.each([
    'Secret',
    'ConfigMap',
    'PersistentVolumeClaim',
    'Service',
    'Pod',
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'CronJob',
    'Job',
  ])('stays where somebody keeps a %s in it', async (kind) => {
    const { told, deleted } = await removedWith(kind, {});
    expect(told).toEqual([{ event: 'found', text: `Namespace phaseout stays: it holds ${kind} a` }]);
    expect(deleted).toEqual([]);
  });

  it.each<[what: string, kind: string, object: object]>([
    ['the certificates that Kubernetes puts there', 'ConfigMap', { metadata: { name: 'kube-root-ca.crt' } }],
    [
      'the certificates that OpenShift puts there',
      'ConfigMap',
      { metadata: { name: 'openshift-service-ca.crt' } },
    ],
    ['the token of a ServiceAccount', 'Secret', { type: 'kubernetes.io/service-account-token' }],
    ['the way of a ServiceAccount to images', 'Secret', { type: 'kubernetes.io/dockercfg' }],
    ['what is on its way out', 'Pod', { metadata: { name: 'a', deletionTimestamp: '2040-01-01T00:00:00Z' } }],
    ['what belongs to something else', 'Pod', { metadata: { name: 'a', ownerReferences: [{ name: 'b' }] } }],
  ])('does not stay for %s', async (_what, kind, object) => {
    const { deleted } = await removedWith(kind, object);
    expect(deleted).toEqual(['phaseout n-1']);
  });

  it.each(['Opaque', 'kubernetes.io/tls'])('stays for a Secret of type %s', async (type) => {
    expect((await removedWith('Secret', { type })).deleted).toEqual([]);
  });
});
