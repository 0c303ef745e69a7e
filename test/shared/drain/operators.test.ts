import { expect, test } from 'vitest';
import { operatorOf } from '../../../shared/drain/budget-cause.ts';

const budget = (labels: Record<string, string> | undefined) => ({
  metadata: { name: 'b', namespace: 'ns', ...(labels && { labels }) },
});

test.each<[whose: string, labels: Record<string, string> | undefined, operator: string | undefined]>([
  ['Rook', { rook_cluster: 'rook-ceph' }, 'Rook (label rook_cluster)'],
  [
    'the Postgres operator of Zalando',
    { application: 'spilo', 'cluster-name': 'pg' },
    'the Postgres operator of Zalando (label application)',
  ],
  [
    'an operator that says that it manages it',
    { 'app.kubernetes.io/managed-by': 'tidb-operator' },
    'tidb-operator (label app.kubernetes.io/managed-by)',
  ],
  ['a user, by Helm', { 'app.kubernetes.io/managed-by': 'Helm' }, undefined],
  ['a user, by Argo CD', { 'app.kubernetes.io/managed-by': 'argocd' }, undefined],
  ['a user whose application has that label, too', { application: 'web' }, undefined],
  ['a user, without labels', undefined, undefined],
])('a budget of %s', (_whose, labels, operator) => {
  expect(operatorOf(budget(labels))).toBe(operator);
});
