import { expect, it } from 'vitest';
import { type Readiness, readinessOf } from '../../../../infra/cli/deploy/readiness.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

function object(apiVersion: string, kind: string, status?: object, spec: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: 'a', generation: 2 }, spec, ...(status && { status }) };
}

const trigger = (status?: object) => object('eventing.knative.dev/v1', 'Trigger', status);
const job = (...conditions: object[]) => object('batch/v1', 'Job', { conditions });
const deployment = (status: object, spec: object = { replicas: 2 }) =>
  object('apps/v1', 'Deployment', status, spec);

const ready: Readiness = { kind: 'ready' };
const waiting = (why: string): Readiness => ({ kind: 'waiting', why });
const unseen = waiting('its controller has not looked at it yet');

it.each<[string, KubeObject, Readiness]>([
  ['a kind that has nothing to say', object('v1', 'ConfigMap'), ready],
  ["Kubernetes' own Service", object('v1', 'Service'), ready],
  ['a Trigger that nobody has looked at', trigger(), unseen],
  [
    'a Trigger without a condition Ready',
    trigger({ conditions: [{ type: 'Other', status: 'True' }] }),
    unseen,
  ],
  [
    'a Trigger that is ready',
    trigger({ observedGeneration: 2, conditions: [{ type: 'Ready', status: 'True' }] }),
    ready,
  ],
  [
    'a Trigger that was ready before it was changed',
    trigger({ observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] }),
    unseen,
  ],
  [
    'a Trigger that says why it is not',
    trigger({ conditions: [{ type: 'Ready', status: 'False', reason: 'NoBroker', message: 'no\nBroker' }] }),
    waiting('NoBroker: no Broker'),
  ],
  [
    'a Trigger of which a part says why',
    trigger({
      conditions: [
        { type: 'Ready', status: 'Unknown' },
        { type: 'Dependency', status: 'Unknown' },
        { type: 'SubscriberResolved', status: 'False', reason: 'Unresolved', message: 'no such Service' },
      ],
    }),
    waiting('Unresolved: no such Service'),
  ],
  [
    'a Trigger that says nothing',
    trigger({ conditions: [{ type: 'Ready', status: 'Unknown' }] }),
    waiting('Ready is Unknown'),
  ],
  ['a status that is none', trigger({ conditions: 'yes' }), waiting('its status cannot be read')],
  [
    'a definition that is served',
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      conditions: [{ type: 'Established', status: 'True' }],
    }),
    ready,
  ],
  ['a Job that runs', job(), waiting('it has not completed yet')],
  ['a Job that is done', job({ type: 'Complete', status: 'True' }), ready],
  [
    'a Job that has failed',
    job({ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'too long' }),
    { kind: 'failed', why: 'DeadlineExceeded: too long' },
  ],
  ['a Deployment with all replicas', deployment({ availableReplicas: 2 }), ready],
  ['a Deployment that says nothing of replicas', deployment({ availableReplicas: 1 }, {}), ready],
  [
    'a Deployment with a part of them',
    deployment({ availableReplicas: 1 }),
    waiting('1 of 2 replicas are available'),
  ],
  [
    'a Deployment in trouble',
    deployment({
      conditions: [
        { type: 'Available', status: 'False', message: 'no minimum' },
        { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'no image' },
      ],
    }),
    waiting('0 of 2 replicas are available; ProgressDeadlineExceeded: no image'),
  ],
  [
    'a Deployment whose Pods are refused',
    deployment({
      conditions: [
        { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too long' },
        { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'forbidden' },
      ],
    }),
    waiting('0 of 2 replicas are available; FailedCreate: forbidden'),
  ],
])('%s', (_, given, readiness) => {
  expect(readinessOf(given)).toEqual(readiness);
});

it.each([
  ['serving.knative.dev/v1', 'Service'],
  ['eventing.knative.dev/v1', 'Broker'],
  ['eventing.knative.dev/v1', 'Trigger'],
  ['sources.knative.dev/v1', 'ApiServerSource'],
  ['sources.knative.dev/v1', 'PingSource'],
  ['sources.knative.dev/v1', 'SinkBinding'],
])('one of %s %s is waited for', (apiVersion, kind) => {
  expect(readinessOf(object(apiVersion, kind))).toEqual(unseen);
});
