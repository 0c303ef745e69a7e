import { expect, test } from 'vitest';
import { finalizersOf } from '../../../../shared/dialects/capi/annotations.ts';

test.each<[which: string, annotations: Record<string, string>, finalizers: string[]]>([
  ['that stays', { 'cluster.x-k8s.io/paused': '' }, ['machine.cluster.x-k8s.io']],
  ['that is moved to another cluster', { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' }, []],
])('the finalizers of a Machine %s', (_which, annotations, finalizers) => {
  expect(finalizersOf({ annotations })).toEqual(finalizers);
});
