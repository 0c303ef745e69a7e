import { expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { aCluster, aMachine, someSurroundings } from '../../../builders/cluster-api.ts';

const byCluster = 'Cluster spec.paused is set to true';
const byAnnotation = 'Machine has the cluster.x-k8s.io/paused annotation';

test.each([
  ['nothing pauses', {}, undefined, []],
  ['the Cluster is paused', {}, true, [byCluster]],
  ['the Cluster says it is not', {}, false, []],
  ['the annotation is empty', { 'cluster.x-k8s.io/paused': '' }, undefined, [byAnnotation]],
  ['the annotation says false', { 'cluster.x-k8s.io/paused': 'false' }, undefined, [byAnnotation]],
  ['both pause', { 'cluster.x-k8s.io/paused': 'true' }, true, [byCluster, byAnnotation]],
])('when %s', (_when, annotations, paused, causes) => {
  const cluster = aCluster({ spec: { paused } });
  expect(clusterApi.pausedBy(aMachine({ annotations }), someSurroundings({ cluster }))).toEqual(causes);
});

test('a Cluster that is paused and being deleted pauses all the same', () => {
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const surroundings = someSurroundings({ cluster: aCluster({ metadata, spec: { paused: true } }) });
  expect(clusterApi.pausedBy(aMachine(), surroundings)).toEqual([byCluster]);
});
