import { expect, it } from 'vitest';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { playPeerAlone } from '../../../../infra/local/platform/peer-alone.ts';
import { seeded } from '../../../stories/stage/conditions.ts';

const worker = { namespace: 'fleet', name: 'worker-1', group: 'cluster.x-k8s.io' };

const play = async (extra: Record<string, unknown>[] = []) => {
  const manifests = await readExample('capi');
  const more = extra.map((object) => ({ from: 'more', object: { metadata: { name: '' }, ...object } }));
  const start = Date.parse('2026-01-01T00:00:00Z');
  return playPeerAlone({ manifests: [...manifests, ...more], machines: [worker], start, random: seeded(1) });
};

it('takes a Machine of the example away in passes of 20 seconds', async () => {
  const [alone] = await play();
  expect(alone).toEqual({ machine: worker, seconds: 45, passes: 2 });
});

it('says that a Machine never goes', async () => {
  const metadata = { name: 'never', namespace: 'shop' };
  const spec = { maxUnavailable: 0, selector: {} };
  const [alone] = await play([{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec }]);
  expect(alone?.seconds).toBeUndefined();
  expect(alone?.passes).toBeGreaterThan(700);
});
