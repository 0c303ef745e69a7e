import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../../../infra/local/controllers/machines/apis.ts';
import {
  clusterApiPolicies,
  type DeletePolicies,
  firstToGo,
  openShiftPolicies,
  v1alpha1Policies,
} from '../../../../../infra/local/controllers/machines/delete-priority.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const nodeRef = { name: 'n' };

interface Fields extends NonNullable<Machine['status']> {
  name?: string;
  annotations?: Record<string, string>;
  deletionTimestamp?: string;
  created?: string;
}

/** A healthy Machine of ten days, unless something else is said. */
function aMachine(fields: Fields = {}): Machine {
  const {
    name = 'm',
    annotations = {},
    deletionTimestamp,
    created = '2026-02-19T00:00:00Z',
    ...status
  } = fields;
  return {
    metadata: {
      name,
      annotations,
      creationTimestamp: created,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    status: { nodeRef, ...status },
  };
}

const marked = (annotation: string, value = '') => aMachine({ annotations: { [annotation]: value } });
const failing = (type: string, status: string) => [{ type, status }];
const withoutNode: Machine = { ...aMachine(), status: {} };
const deleting = aMachine({ deletionTimestamp: '2026-02-28T00:00:00Z' });
const unborn: Machine = { ...aMachine(), metadata: { name: 'm' } };
const future = aMachine({ created: '2026-03-02T00:00:00Z' });
const errored = aMachine({ errorReason: 'CreateError' });
const complaining = aMachine({ errorMessage: 'no capacity' });

type Row = [string, Machine, { Random: number; Oldest: number; Newest: number }];
const policies = ['Random', 'Oldest', 'Newest'] as const;

function judged(api: DeletePolicies, machine: Machine) {
  const rounded = policies.map((policy) => [
    policy,
    Math.round(api.priority(policy)!(machine, now) * 100) / 100,
  ]);
  return Object.fromEntries(rounded);
}

const all = (priority: number) => ({ Random: priority, Oldest: priority, Newest: priority });

describe('Cluster API', () => {
  const mark = 'cluster.x-k8s.io/delete-machine';
  const updating = 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress';

  it.each<Row>([
    ['a Machine of ten days', aMachine(), { Random: 20, Oldest: 31.61, Newest: 18.39 }],
    ['a Machine that is being deleted', deleting, all(100)],
    ['a marked one, whatever the value', marked(mark), all(80)],
    ['one that is updated in place', marked(updating), all(75)],
    ['one without a Node', withoutNode, all(50)],
    ['one whose Node is not healthy', aMachine({ conditions: failing('NodeHealthy', 'False') }), all(50)],
    [
      'one of which that is unknown',
      aMachine({ conditions: failing('NodeHealthy', 'Unknown') }),
      { Random: 20, Oldest: 31.61, Newest: 18.39 },
    ],
    [
      'one that failed its health check',
      aMachine({ v1beta2: { conditions: failing('HealthCheckSucceeded', 'False') } }),
      all(50),
    ],
    ['one made at no known time', unborn, { Random: 20, Oldest: 0, Newest: 50 }],
    ['one of tomorrow', future, { Random: 20, Oldest: 0, Newest: 50 }],
  ])('judges %s', (_, machine, expected) => {
    expect(judged(clusterApiPolicies, machine)).toEqual(expected);
  });
});

describe('OpenShift', () => {
  const chosen = { Random: 50, Oldest: 100, Newest: 100 };
  const plain = { Random: 20, Oldest: 4.76, Newest: 95.24 };

  it.each<Row>([
    ['a Machine of ten days', aMachine(), plain],
    ['a Machine that is being deleted', deleting, all(100)],
    ['a marked one', marked('machine.openshift.io/delete-machine', 'true'), chosen],
    ['one marked the old way', marked('machine.openshift.io/cluster-api-delete-machine', 'yes'), chosen],
    ['one marked with nothing', marked('machine.openshift.io/delete-machine', ''), plain],
    ['one with a reason of error', errored, chosen],
    ['one with a message of error', complaining, chosen],
    ['one without a Node', withoutNode, { Random: 40, Oldest: 4.76, Newest: 95.24 }],
    ['one of tomorrow', future, { Random: 20, Oldest: 0, Newest: 100 }],
  ])('judges %s', (_, machine, expected) => {
    expect(judged(openShiftPolicies, machine)).toEqual(expected);
  });
});

describe('v1alpha1', () => {
  const mark = 'cluster.k8s.io/delete-machine';
  const chosen = { Random: 50, Oldest: 100, Newest: 100 };
  const plain = { Random: 20, Oldest: 63.21, Newest: 36.79 };

  it.each<Row>([
    ['a Machine of ten days', aMachine(), plain],
    ['a Machine that is being deleted', deleting, all(100)],
    ['a marked one', marked(mark, 'yes'), chosen],
    ['one marked with nothing', marked(mark, ''), plain],
    ['one with an error', errored, chosen],
    ['one without a Node', withoutNode, plain],
    ['one of tomorrow', future, { Random: 20, Oldest: 0, Newest: 100 }],
  ])('judges %s', (_, machine, expected) => {
    expect(judged(v1alpha1Policies, machine)).toEqual(expected);
  });
});

describe('a policy', () => {
  it.each([
    ['Cluster API', clusterApiPolicies],
    ['OpenShift', openShiftPolicies],
    ['v1alpha1', v1alpha1Policies],
  ])('of %s is Random when nothing is said', (_, api) => {
    expect(api.priority(undefined)!(aMachine(), now)).toBe(20);
    expect(api.priority('')!(aMachine(), now)).toBe(20);
  });

  it.each([
    [
      'Cluster API',
      clusterApiPolicies,
      "Unsupported deletion order Fat. Must be one of 'Random', 'Newest', or 'Oldest'",
    ],
    [
      'OpenShift',
      openShiftPolicies,
      "unsupported delete policy Fat, must be one of 'Random', 'Newest', or 'Oldest'",
    ],
    [
      'v1alpha1',
      v1alpha1Policies,
      "Unsupported delete policy Fat. Must be one of 'Random', 'Newest', or 'Oldest'",
    ],
  ])('nobody knows is an error of %s', (_, api, message) => {
    expect(api.priority('Fat')).toBeUndefined();
    expect(api.priority('toString')).toBeUndefined();
    expect(api.unsupported('Fat')).toBe(message);
  });
});

const names = (machines: Machine[], count: number, policy: string) =>
  firstToGo(machines, count, { priorityOf: clusterApiPolicies.priority(policy)!, now }).map(
    ({ metadata }) => metadata.name,
  );

describe('those that go first', () => {
  const old = aMachine({ name: 'old', created: '2025-01-01T00:00:00Z' });
  const young = aMachine({ name: 'young', created: '2026-02-28T00:00:00Z' });
  const [b, a] = [aMachine({ name: 'b' }), aMachine({ name: 'a' })];

  it.each([
    ['of equals, by name', [b, old, a], 2, 'Random', ['a', 'b']],
    ['the oldest', [young, b, old], 2, 'Oldest', ['old', 'b']],
    ['the newest', [old, b, young], 2, 'Newest', ['young', 'b']],
    ['all there are', [b, a], 5, 'Random', ['a', 'b']],
    ['none', [b, a], -1, 'Random', []],
  ])('are %s', (_, machines, count, policy, expected) => {
    expect(names(machines, count, policy)).toEqual(expected);
  });
});
