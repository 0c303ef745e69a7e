import { expect, it } from 'vitest';
import { untilReady } from '../../../../infra/cli/deploy/until-ready.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { configMap, trigger } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

it('what has been deleted meanwhile does not get ready', async () => {
  const { site } = siteAt(await aCluster());
  expect(await untilReady(site, [trigger('drain')], { timeoutSeconds: undefined })).toEqual([
    { object: 'Trigger phaseout/drain', why: 'somebody has deleted it' },
  ]);
});

it('what cannot be asked about is not ready', async () => {
  const { site } = siteAt(await aCluster());
  site.kubernetes.get = () => Promise.reject(new Unavailable('no answer'));
  expect(await untilReady(site, [trigger('drain')], { timeoutSeconds: 5 })).toEqual([
    { object: 'Trigger phaseout/drain', why: 'no answer' },
  ]);
});

it('what has no readiness is not asked about', async () => {
  const { site } = siteAt(await aCluster());
  site.kubernetes.get = () => Promise.reject(new Unavailable('no answer'));
  expect(await untilReady(site, [configMap()], { timeoutSeconds: 5 })).toEqual([]);
});
