import { describe, expect, it } from 'vitest';
import { type Site, untilObjectGone } from '../../../../infra/cli/deploy/site.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

const resource = { group: '', version: 'v1', plural: 'configmaps' };

async function aConfigMap() {
  const cluster = await aCluster();
  const { cluster: api } = cluster;
  api.create('namespaces', { metadata: { name: 'phaseout' } });
  const object = api.create('configmaps', { metadata: { name: 'phaseout', namespace: 'phaseout' } });
  return { object, api, ...siteAt(cluster) };
}

/** The site, where the first look comes to this. */
function lookingFirst(site: Site, first: () => Promise<KubeObject | undefined>): Site {
  let looks = 0;
  const get: typeof site.kubernetes.get = (...which) => {
    looks += 1;
    return looks === 1 ? first() : site.kubernetes.get(...which);
  };
  return { ...site, kubernetes: { ...site.kubernetes, get } };
}

const noAnswer = () => Promise.reject(new Unavailable('no answer'));
const defect = () => Promise.reject(new TypeError('a defect'));

describe('an object', () => {
  it('that is there is not gone after a minute', async () => {
    const { site, object } = await aConfigMap();
    expect(await untilObjectGone(site, resource, object)).toBe(false);
  });

  it('that goes while it is looked at is gone', async () => {
    const { site, object, api } = await aConfigMap();
    const first = async () => {
      api.remove('configmaps', object);
      return object;
    };
    expect(await untilObjectGone(lookingFirst(site, first), resource, object)).toBe(true);
  });

  it('in whose place is another one of its name is gone', async () => {
    const { site, object } = await aConfigMap();
    const { metadata } = object;
    const earlier = { ...object, metadata: { ...metadata, uid: 'of-an-earlier-one' } };
    expect(await untilObjectGone(site, resource, earlier)).toBe(true);
  });

  it('that could not be looked at is not gone', async () => {
    const { site, object } = await aConfigMap();
    const kubernetes = { ...site.kubernetes, get: noAnswer };
    expect(await untilObjectGone({ ...site, kubernetes }, resource, object)).toBe(false);
  });

  it('that could not be looked at once is looked at again', async () => {
    const { site, object, api } = await aConfigMap();
    api.remove('configmaps', object);
    expect(await untilObjectGone(lookingFirst(site, noAnswer), resource, object)).toBe(true);
  });

  it('is not waited for where a defect of ours keeps it from being looked at', async () => {
    const { site, object } = await aConfigMap();
    await expect(untilObjectGone(lookingFirst(site, defect), resource, object)).rejects.toThrow('a defect');
  });
});
