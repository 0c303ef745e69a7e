import { expect, test } from 'vitest';
import { connectTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { configMap, kubeConfigText, startServer } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps' };

// Three webhooks that take all the time they may take are no failure.
test('an apply is given up after half a minute', async () => {
  const clock = manualClock();
  await using server = await startServer(() => undefined);
  const tools = connectTools(loadKubeConfig({ text: kubeConfigText(server.url) }), { clock });
  let outcome = '';
  const applied = tools
    .apply(configMaps, configMap('a'), { fieldManager: 'phaseout' })
    .catch((error: unknown) => (outcome = String(error)));
  await expect.poll(() => server.seen).toHaveLength(1);
  await clock.advance(29_999);
  expect(outcome).toBe('');
  await clock.advance(1);
  await applied;
  expect(outcome).toContain('no answer within 30 s');
  await tools.close();
});
