import { describe, expect, it } from 'vitest';
import { untilObjectGone } from '../../../../infra/cli/deploy/until-gone.ts';
import { CouldNotLook } from '../../../../shared/kubernetes/port.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const resource = { group: '', version: 'v1', plural: 'configmaps' };

async function aConfigMap() {
  const cluster = await aCluster();
  const { cluster: api } = cluster;
  api.create('namespaces', { metadata: { name: 'phaseout' } });
  const object = api.create('configmaps', { metadata: { name: 'phaseout', namespace: 'phaseout' } });
  return { object, ...siteAt(cluster) };
}

describe('an object', () => {
  it('that is there is not gone after a minute', async () => {
    const { site, object } = await aConfigMap();
    expect(await untilObjectGone(site, resource, object)).toBe(false);
  });

  it('in whose place is another one of its name is gone', async () => {
    const { site, object } = await aConfigMap();
    const { metadata } = object;
    const earlier = { ...object, metadata: { ...metadata, uid: 'of-an-earlier-one' } };
    expect(await untilObjectGone(site, resource, earlier)).toBe(true);
  });

  it('that could not be looked at is not gone', async () => {
    const { site, object } = await aConfigMap();
    const kubernetes = { ...site.kubernetes, get: () => Promise.reject(new CouldNotLook('no answer')) };
    expect(await untilObjectGone({ ...site, kubernetes }, resource, object)).toBe(false);
  });
});
