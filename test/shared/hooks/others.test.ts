import { expect, test } from 'vitest';
import { selectHooks } from '../../../shared/hooks/deletion-hook.ts';

test('a DeletionHook that only describes a hook of others asks for no Machine, and holds none', () => {
  const described = {
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DeletionHook',
    metadata: { name: 'etcd', namespace: 'fleet', uid: 'u' },
    spec: { setBy: 'Others', hook: 'etcd', at: 'PreTerminate', controlPlanes: true },
  };
  const machine = { labels: {}, clusterLabels: {}, isControlPlane: true };
  expect(selectHooks([described], 'PreTerminate', machine)).toEqual({ hooks: [], unclear: [] });
});
