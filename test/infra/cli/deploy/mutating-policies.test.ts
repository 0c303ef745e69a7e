import { describe, expect, it } from 'vitest';
import { withoutNeedless } from '../../../../infra/cli/deploy/definitions.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const policy: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'beside-registration.phaseout.dev' },
};
const binding: KubeObject = { ...policy, kind: 'MutatingAdmissionPolicyBinding' };

/** An API server that serves MutatingAdmissionPolicies in these versions. */
async function installedWhere(versions: readonly string[], objects = [policy, binding]) {
  const { site, texts } = siteAt(await aCluster());
  const { kubernetes } = site;
  const discover: typeof kubernetes.discover = async (group, kind, version = '') => {
    if (!kind.startsWith('MutatingAdmissionPolicy')) return kubernetes.discover(group, kind, version);
    return versions.includes(version) ? { group, version, plural: 'policies' } : undefined;
  };
  const kept = await withoutNeedless({ ...site, kubernetes: { ...kubernetes, discover } }, objects);
  return { kept: kept.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`), texts: texts() };
}

describe('policies that put hooks on', () => {
  it.each([
    [['v1', 'v1beta1'], 'v1'],
    [['v1beta1'], 'v1beta1'],
  ])('where %j are served, come in %s', async (served, version) => {
    expect(await installedWhere(served)).toEqual({
      kept: [
        `admissionregistration.k8s.io/${version}/MutatingAdmissionPolicy`,
        `admissionregistration.k8s.io/${version}/MutatingAdmissionPolicyBinding`,
      ],
      texts: [],
    });
  });

  it('are left out where they are not served, and that is told', async () => {
    const { kept, texts } = await installedWhere([]);
    expect(kept).toEqual([]);
    expect(texts).toEqual([
      expect.stringMatching(/^new Machines get the hook a moment after they are made: /),
    ]);
  });

  it('are not asked for where there are none', async () => {
    expect(await installedWhere([], [])).toEqual({ kept: [], texts: [] });
  });
});
