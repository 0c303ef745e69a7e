import { describe, expect, it } from 'vitest';
import { deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { remove } from '../../../../infra/cli/remove/remove.ts';
import { readDefinitions } from '../../../../infra/knative/definitions.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { options, someObjects } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const definitions = await readDefinitions('hooks');
const objects = [...definitions, ...someObjects];
const name = 'CustomResourceDefinition deletionhooks.phaseout.dev';
const resource = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' };

/** The definition of another version, with a column less. */
function older(definition: KubeObject): KubeObject {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === 'additionalPrinterColumns' ? [] : value,
  );
  return { ...definition, ...JSON.parse(text) };
}

/** A cluster in which kubectl has applied these. */
async function appliedByHand(these: readonly KubeObject[]) {
  const seen = siteAt(await aCluster());
  for (const object of these) await seen.site.kubernetes.apply(resource, object, { fieldManager: 'kubectl' });
  return seen;
}

describe('the definition of DeletionHooks', () => {
  it('is brought along, and stays with all DeletionHooks unless the data are to go', async () => {
    const cluster = await aCluster();
    const { site, changes, texts } = siteAt(cluster);
    await deploy(site, options(objects));
    expect(changes()).toContain(`created ${name}`);
    await remove(site, { namespace: 'phaseout', abandon: false, withData: false });
    expect(texts()).toContain(`${name} stays, with what is in it (--with-data takes it)`);
    await remove(site, { namespace: 'phaseout', abandon: false, withData: true });
    expect(changes()).toContain(`removed ${name}`);
  });

  it('is the same that kubectl has applied', async () => {
    const { site, changes } = await appliedByHand(definitions);
    await deploy(site, options(objects));
    expect(changes()).toContain(`unchanged ${name}`);
  });

  it('is taken from kubectl only where it is asked for, if that applied another version', async () => {
    const { site, changes } = await appliedByHand(definitions.map(older));
    await expect(deploy(site, options(objects))).rejects.toThrow(
      /deletionhooks\.phaseout\.dev: \.spec\.versions.* belongs to kubectl \(--force-conflicts takes it\)/,
    );
    await deploy(site, options(objects, { force: true }));
    expect(changes()).toContain(`changed ${name}`);
  });
});
