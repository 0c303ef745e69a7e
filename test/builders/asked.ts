import type { Asked } from '../../shared/hooks/asked.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/** A DeletionHook as the API server sends it, with the kind's defaults. */
export const aDeletionHook = (name = 'move-data', spec: object = {}): KubeObject => ({
  apiVersion: 'phaseout.dev/v1alpha1',
  kind: 'DeletionHook',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion: '7' },
  spec: {
    setBy: 'Phaseout',
    at: 'PreDrain',
    controlPlanes: false,
    machinePools: false,
    order: 0,
    every: '30s',
    silentAfter: '5m',
    whenGone: 'Hold',
    onClusterDeletion: 'Proceed',
    ...spec,
  },
});

/** A hook that is asked before the drain, every 30 seconds. Its turn has not begun. */
export const anAsked = (parts: Partial<Asked> = {}): Asked => ({
  name: 'move-data',
  uid: 'uid-of-move-data',
  place: 'PreDrain',
  order: 0,
  everySeconds: 30,
  silentAfterSeconds: 300,
  whenGone: 'Hold',
  onClusterDeletion: 'Proceed',
  ...parts,
});
