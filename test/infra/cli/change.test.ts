import { describe, expect, test } from 'vitest';
import { factEvent } from '../../../events/fact.ts';
import { toChange } from '../../../infra/cli/run/change.ts';

const time = Date.parse('2026-01-01T00:00:00Z');
const machine = { apiVersion: 'machine.openshift.io/v1beta1', namespace: 'openshift', name: 'a', uid: 'u' };

describe('hooks that are waited for are shown', () => {
  test.each([
    [
      'with their owner',
      ['EtcdQuorumOperator'],
      { EtcdQuorumOperator: 'clusteroperator/etcd' },
      'hook EtcdQuorumOperator of clusteroperator/etcd',
    ],
    ['without one where none is said', ['example.com/backup'], {}, 'hook backup'],
    ['without one that is blank', ['backup'], { backup: ' ' }, 'hook backup'],
    [
      'together, each with its own',
      ['x/backup', 'move'],
      { 'x/backup': 'somebody' },
      'hooks move, backup of somebody',
    ],
    [
      'in one line, of a length that can be read',
      ['move'],
      { move: `two\nlines ${'x'.repeat(200)}` },
      `hook move of two lines ${'x'.repeat(87)}...`,
    ],
  ])('%s', (_how, hooks, owners, message) => {
    const about = { machine, phase: 'pre-drain', seq: 1 } as const;
    const fact = factEvent({ ...about, kind: 'hook-waiting', point: 'pre-drain', hooks, owners }, time);
    expect(toChange(fact, 'openshift/a')).toEqual({
      time,
      machine: 'openshift/a',
      phase: 'pre-drain',
      event: 'waits',
      reason: 'WaitingForPreDrainHook',
      message,
    });
  });
});

test('a refusal is shown with what its budget says beyond the answer of the API', () => {
  const about = { machine, phase: 'drain', seq: 1, pod: { namespace: 'ns', name: 'im', uid: 'p' } } as const;
  const explanation = 'the Pod is kept by InstanceManager im-a of longhorn.io';
  const refused = {
    ...about,
    kind: 'pod-refused',
    cause: 'BudgetHeldByOperator',
    text: 'no',
    explanation,
  } as const;
  expect(toChange(factEvent(refused, time), 'openshift/a')).toEqual({
    time,
    machine: 'openshift/a',
    phase: 'drain',
    event: 'refused',
    pod: 'ns/im',
    cause: 'BudgetHeldByOperator',
    message: 'no',
    explanation,
  });
});
