import { expect, test } from 'vitest';
import { settled } from '../../../golden/kubernetes/virtual-clock.ts';
import { configMaps, desk, key } from '../../wire/desk.ts';

test('what a watch claims arrives as if the server had said it, and nothing after its end', async () => {
  const { kubernetes, wire, server } = desk();
  const heard: string[] = [];
  const listener = {
    changed: (type: string, { metadata }: { metadata: { name: string } }) =>
      void heard.push(`${type} ${metadata.name}`),
    ended: (expired: boolean) => void heard.push(`ended ${expired}`),
  };
  kubernetes.watch(configMaps, { namespace: key.namespace }, '', listener);
  await settled();
  const [watch] = wire.watches();
  const object = server.cluster.get('configmaps', key.namespace, key.name);
  watch?.claim(`${JSON.stringify({ type: 'DELETED', object })}\n`);
  await settled();
  watch?.cut();
  watch?.claim(`${JSON.stringify({ type: 'DELETED', object })}\n`);
  await settled();
  expect(heard.slice(-2)).toEqual(['DELETED a', 'ended false']);
});
