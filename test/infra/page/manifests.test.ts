import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

const text = await readFile(new URL('../../../infra/page/page.yaml', import.meta.url), 'utf8');
const objects = parseAllDocuments(text).map((document): KubeObject => document.toJS());

test('the page in a cluster is a Deployment behind a ClusterIP: an open page keeps no Knative Service awake', () => {
  expect(objects.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
    'v1 ServiceAccount phaseout-page',
    'rbac.authorization.k8s.io/v1 ClusterRole phaseout-page',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding phaseout-page',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding phaseout-page-viewer',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding phaseout-page-viewer-workload',
    'rbac.authorization.k8s.io/v1 ClusterRole phaseout-page-kubeconfigs',
    'apps/v1 Deployment phaseout-page',
    'v1 Service phaseout-page',
    'networking.k8s.io/v1 NetworkPolicy phaseout-page',
  ]);
  expect(objects.find(({ kind }) => kind === 'Service')).toMatchObject({ spec: { type: 'ClusterIP' } });
});

test('it may create reviews, and nothing that stays', () => {
  const rules = objects.filter(({ kind }) => kind === 'ClusterRole').map((role) => role['rules']);
  expect(rules).toEqual([
    [
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ],
    [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
  ]);
});
