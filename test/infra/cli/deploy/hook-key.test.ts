import { describe, expect, it } from 'vitest';
import { applyObject, NotApplied } from '../../../../infra/cli/deploy/apply-object.ts';
import { deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { remove } from '../../../../infra/cli/remove/remove.ts';
import type { KubernetesForTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { at } from '../../knative/at.ts';
import { options, ours, someObjects } from './installation.ts';
import { aCluster, type Cluster, siteAt } from './knative-cluster.ts';

const secret = ours('v1', 'Secret', 'phaseout-hook-key', { type: 'Opaque' });
const objects = [...someObjects, secret];

const keyIn = ({ cluster }: Cluster): unknown =>
  at(cluster.get('secrets', 'phaseout', 'phaseout-hook-key'), 'data', 'key');

/** As a command of kubectl makes it. */
function makeByHand({ cluster }: Cluster): void {
  cluster.create('namespaces', { metadata: { name: 'phaseout' } });
  const metadata = { name: 'phaseout-hook-key', namespace: 'phaseout' };
  cluster.create('secrets', { metadata, data: { key: 'b3du' } });
}

async function deployed(how: Parameters<typeof options>[1] = {}) {
  const cluster = await aCluster();
  const seen = siteAt(cluster);
  await deploy(seen.site, options(objects, how));
  return { cluster, ...seen };
}

describe('the key of the tokens of DeletionHooks', () => {
  it('is made by deploy, has 32 bytes, and is another one in each cluster', async () => {
    const { cluster, changes } = await deployed();
    expect(changes()).toContain('created Secret phaseout/phaseout-hook-key');
    const text = Buffer.from(String(keyIn(cluster)), 'base64').toString();
    expect(Buffer.from(text, 'base64')).toHaveLength(32);
    expect(keyIn((await deployed()).cluster)).not.toBe(keyIn(cluster));
  });

  it('stays as it is with the next deploy, also where that takes fields of others', async () => {
    const { cluster } = await deployed();
    const key = keyIn(cluster);
    const { site, changes } = siteAt(cluster);
    await deploy(site, options(objects, { force: true }));
    expect(changes()).toContain('unchanged Secret phaseout/phaseout-hook-key');
    expect(keyIn(cluster)).toBe(key);
  });

  it('stays as somebody made it by hand', async () => {
    const cluster = await aCluster();
    makeByHand(cluster);
    await deploy(siteAt(cluster).site, options(objects, { force: true }));
    expect(keyIn(cluster)).toBe('b3du');
  });

  it('stays as another deploy made it a moment ago', async () => {
    const cluster = await aCluster();
    makeByHand(cluster);
    const { site } = siteAt(cluster);
    const kubernetes = { ...site.kubernetes, get: () => Promise.resolve(undefined) };
    const wishes = { force: true, dryRun: false };
    await applyObject({ ...site, kubernetes }, secret, wishes);
    expect(keyIn(cluster)).toBe('b3du');
  });

  it('is in nothing that deploy says', async () => {
    const { cluster, told } = await deployed();
    const encoded = String(keyIn(cluster));
    expect(JSON.stringify(told)).not.toContain(encoded);
    expect(JSON.stringify(told)).not.toContain(Buffer.from(encoded, 'base64').toString());
  });

  it('is not made in a dry run, which asks the cluster about a Secret without one', async () => {
    const cluster = await aCluster();
    cluster.cluster.create('namespaces', { metadata: { name: 'phaseout' } });
    const { site, told } = siteAt(cluster);
    const asked: object[] = [];
    const kubernetes: KubernetesForTools = {
      ...site.kubernetes,
      apply(resource, object, how) {
        if (object.kind === 'Secret') asked.push({ object, how });
        return site.kubernetes.apply(resource, object, how);
      },
    };
    await deploy({ ...site, kubernetes }, options(objects, { dryRun: true }));
    expect(told).toContainEqual({
      event: 'object',
      dryRun: true,
      object: 'Secret phaseout/phaseout-hook-key',
      change: 'created',
      fields: [],
    });
    expect(asked).toEqual([
      { object: secret, how: { fieldManager: 'phaseout', force: false, dryRun: true } },
    ]);
    expect(cluster.cluster.list('secrets')).toEqual([]);
  });

  it('that may not be made is an error which names the Secret', async () => {
    const { site } = siteAt(await aCluster());
    site.kubernetes.create = async () => ({ kind: 'refused', code: 403, message: 'may not' });
    await expect(applyObject(site, secret, { force: false, dryRun: false })).rejects.toThrow(
      new NotApplied(secret, 'may not'),
    );
  });
});

describe('remove', () => {
  const how = { namespace: 'phaseout', abandon: false, withData: false };

  it('takes the Secret of deploy along, and then the namespace', async () => {
    const { cluster } = await deployed();
    const { site, changes } = siteAt(cluster);
    await remove(site, how);
    expect(changes().slice(-2)).toEqual([
      'removed Secret phaseout/phaseout-hook-key',
      'removed Namespace phaseout',
    ]);
    expect(keyIn(cluster)).toBeUndefined();
  });

  it('leaves one that somebody made by hand, and says so', async () => {
    const cluster = await aCluster();
    makeByHand(cluster);
    await deploy(siteAt(cluster).site, options(objects));
    const { site, texts } = siteAt(cluster);
    await remove(site, how);
    expect(texts()).toContain('Secret phaseout/phaseout-hook-key stays: deploy has not made it');
    expect(keyIn(cluster)).toBe('b3du');
  });
});
