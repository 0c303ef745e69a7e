import { describe, expect, test } from 'vitest';
import { node } from '../../functions/node.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../shared/dialects/v1alpha1/index.ts';
import { nodes } from '../../shared/kubernetes/resources.ts';
import { after } from '../builders/cluster-api.ts';
import { aSubject } from '../builders/subject.ts';

type Seen = Parameters<typeof node.decide>[1];
type Present = Seen & { kind: 'present' };

const now = after(10);
const present = (more: Partial<Present> = {}): Present => ({
  kind: 'present',
  name: 'node-1',
  uid: 'node-uid-1',
  isTerminating: false,
  deletion: undefined,
  ...more,
});
/** The node phase began one second after the deletion. */
const inPhase = (nodeDeletionTimeoutSeconds?: number, known: { node?: string } = { node: 'node-uid-1' }) =>
  aSubject({
    phase: 'node',
    checkpoint: known,
    machine: nodeDeletionTimeoutSeconds === undefined ? {} : { nodeDeletionTimeoutSeconds },
  });
const decide = (seen: Seen, subject = inPhase()) => node.decide(subject, seen, now);

describe('the Node is left, and the Machine goes on, when', () => {
  test.each<[when: string, seen: Seen, passing: string, message: string]>([
    [
      'it may not be touched',
      { kind: 'not-allowed', why: 'cluster is being deleted' },
      'not-applicable',
      'cluster is being deleted',
    ],
    ['it is gone', { kind: 'absent' }, 'done', 'the Node has been deleted'],
    [
      'it belongs to another server',
      { kind: 'foreign', why: 'other provider ID' },
      'not-applicable',
      'other provider ID',
    ],
    [
      'a Node of another UID has taken its name since the drain',
      present({ uid: 'node-uid-2' }),
      'done',
      'Node node-1 is another one than the Machine had: it is left alone',
    ],
    [
      'such a Node is terminating: that is not our business either',
      present({ uid: 'node-uid-2', isTerminating: true }),
      'done',
      'Node node-1 is another one than the Machine had: it is left alone',
    ],
  ])('%s', (_when, seen, passing, message) => {
    expect(decide(seen)).toEqual({ kind: 'advance', passing, message });
  });
});

test.each<[string, { node?: string }]>([
  ['the one the Machine had', { node: 'node-uid-1' }],
  ['the one that is there, when none was known before', {}],
])('the Node is deleted by its UID: %s', (_which, known) => {
  expect(decide(present(), inPhase(undefined, known))).toEqual({
    kind: 'act',
    effects: [
      {
        kind: 'delete',
        side: 'workload',
        resource: nodes,
        key: { name: 'node-1' },
        uid: 'node-uid-1',
        what: 'Node',
      },
    ],
    report: { reason: 'DeletingNode', message: 'Deleting Node node-1' },
  });
});

describe('a Node that others hold', () => {
  const deleting = { kind: 'deleting', object: { metadata: { name: 'node-1' } } } as const;
  const accepted = {
    kind: 'advance',
    passing: 'done',
    message: 'Node node-1 is being deleted, and nothing waits for its end',
  };

  test.each<[name: string, dialect: Dialect]>([
    ['Cluster API', clusterApi],
    ['OpenShift', openShift],
    ['v1alpha1', originalApi],
  ])('is not waited for by %s, and not deleted again', (_name, dialect) => {
    expect(decide(present({ isTerminating: true }), { ...inPhase(), dialect })).toEqual(accepted);
    expect(decide(present({ deletion: deleting }), { ...inPhase(), dialect })).toEqual(accepted);
  });
});

const deletedInVain = (why: string) => [
  {
    type: 'Warning',
    reason: 'FailedDeleteNode',
    message: `error deleting Machine's Node: error deleting node node-1: ${why}`,
  },
];

const failing = (error: string, why = error) => ({
  kind: 'wait',
  until: [{ kind: 'time', at: now + 2_000 }],
  report: {
    reason: 'DeletingNode',
    message: 'Error deleting Node, please check controller logs for errors',
    error,
  },
  requeueAfterSeconds: 2,
  events: deletedInVain(why),
});

const leftBehind = (why: string) => ({
  kind: 'advance',
  passing: 'timed-out',
  message: 'Node node-1 could not be deleted in time and is left behind',
  events: deletedInVain(why),
});

describe('a delete that fails', () => {
  const refused = present({ deletion: { kind: 'refused', code: 403, message: 'forbidden' } });

  test('is tried again', () => {
    expect(decide(refused)).toEqual(failing('error deleting node node-1: forbidden', 'forbidden'));
    expect(node.onUnavailable(inPhase(), 'connection refused', now)).toEqual(failing('connection refused'));
  });

  test.each([
    [2, 2],
    [14, 3],
    [31, 7],
    [1_000, 30],
  ])('%i s after the deletion is tried again in %i s: ever more slowly', (seconds, again) => {
    expect(node.decide(inPhase(), refused, after(seconds))).toMatchObject({
      until: [{ kind: 'time', at: after(seconds + again) }],
      requeueAfterSeconds: again,
    });
  });

  test('is looked at again when its timeout is over', () => {
    expect(node.decide(inPhase(60), refused, after(58))).toMatchObject({ requeueAfterSeconds: 3 });
  });

  test('is looked at again in a while when it fails at once and has no timeout', () => {
    expect(node.decide(inPhase(0), refused, after(1))).toMatchObject({ requeueAfterSeconds: 2 });
  });

  test('is tried at least once, however short the timeout is', () => {
    expect(decide(present(), inPhase(1)).kind).toBe('act');
  });

  test('is tried until the timeout, counted from the start of the phase', () => {
    expect(decide(refused, inPhase(10)).kind).toBe('wait');
    expect(decide(refused, inPhase(9))).toEqual(leftBehind('forbidden'));
    expect(node.onUnavailable(inPhase(10), 'connection refused', now).kind).toBe('wait');
    expect(node.onUnavailable(inPhase(9), 'connection refused', now)).toEqual(
      leftBehind('connection refused'),
    );
  });
});
