import { describe, expect, test } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { infrastructure } from '../../functions/infrastructure.ts';
import type { ReferredSeen } from '../../shared/phase/owned-object.ts';
import { after, timeAfter } from '../builders/cluster-api.ts';
import { aSubject } from '../builders/subject.ts';

const now = after(10);
const ref = { group: 'infra.example', kind: 'Server', namespace: 'default', name: 'm-1' };
const resource = { group: 'infra.example', version: 'v1', plural: 'servers' };
const key = { namespace: 'default', name: 'm-1' };
const object = { metadata: { ...key, uid: 'server-uid', resourceVersion: '30' } };
const terminating = { metadata: { ...object.metadata, deletionTimestamp: timeAfter(5) } };

const present = (more: Partial<ReferredSeen & { kind: 'present' }> = {}): ReferredSeen => ({
  kind: 'present',
  ref,
  resource,
  key,
  object,
  deletion: undefined,
  ...more,
});

describe.each([
  ['infrastructure', infrastructure, 'WaitingForInfrastructureDeletion'],
  ['bootstrap', bootstrap, 'WaitingForBootstrapDeletion'],
] as const)('%s', (name, phase, reason) => {
  const decide = (seen: ReferredSeen) => phase.decide(aSubject({ phase: name }), seen, now);
  const report = { reason, message: 'Waiting for Server to be deleted' };
  const untilGone = {
    kind: 'wait',
    until: [
      { kind: 'object-gone', side: 'management', resource, key, uid: 'server-uid', resourceVersion: '30' },
    ],
    report,
    requeueAfterSeconds: 20,
  };

  test('is named as its file', () => {
    expect(phase.name).toBe(name);
  });

  test('is passed when the Machine refers to none', () => {
    expect(decide({ kind: 'none' })).toEqual({
      kind: 'advance',
      passing: 'done',
      message: 'the Machine refers to none',
    });
  });

  test('is passed when the object is gone', () => {
    expect(decide({ kind: 'absent', ref })).toEqual({
      kind: 'advance',
      passing: 'done',
      message: 'Server has been deleted',
    });
  });

  test('deletes the object that was seen, and no other', () => {
    expect(decide(present())).toEqual({
      kind: 'act',
      effects: [{ kind: 'delete', side: 'management', resource, key, uid: 'server-uid', what: 'Server' }],
      report,
    });
  });

  test('waits for an object that somebody has deleted already, without deleting it again', () => {
    expect(decide(present({ object: terminating }))).toEqual(untilGone);
  });

  test('waits after its own delete, even when the answer came without the object', () => {
    expect(
      decide(present({ object: terminating, deletion: { kind: 'deleting', object: terminating } })),
    ).toEqual(untilGone);
    expect(decide(present({ deletion: { kind: 'replaced' } }))).toEqual(untilGone);
  });

  test('says when the delete was refused, and tries again soon', () => {
    const deletion = { kind: 'refused', code: 403, message: 'not allowed' } as const;
    expect(decide(present({ deletion }))).toEqual({
      kind: 'wait',
      until: [],
      report: {
        reason: 'InternalError',
        message: 'Failed to delete Server, please check controller logs for errors',
        error: 'not allowed',
      },
      requeueAfterSeconds: 5,
    });
  });

  test('does not know what it waits for where the Machine does not say', () => {
    const { infrastructure: _, bootstrap: __, ...machine } = aSubject().machine;
    expect(phase.onUnavailable({ ...aSubject({ phase: name }), machine }, '500', now)).toMatchObject({
      report: { reason, message: 'Waiting for object to be deleted', error: '500' },
    });
  });

  test('says so where its end could not be asked for', () => {
    const named = aSubject({ phase: name, machine: { infrastructure: ref, bootstrap: ref } });
    expect(phase.onUnavailable(named, 'failed to delete: 500', now)).toMatchObject({
      kind: 'wait',
      report: {
        reason: 'InternalError',
        message: 'Failed to delete Server, please check controller logs for errors',
        error: 'failed to delete: 500',
      },
      requeueAfterSeconds: 5,
    });
  });

  test.each([
    'Server m-1 is controlled by another Machine, m-2',
    'Server m-1 is controlled by ServerPool pool-1',
    'Server m-1 is in namespace lab, where no Machine of fleet can own it',
  ])('says whose the object is that is not the Machine’s own: %s', (why) => {
    const named = aSubject({ phase: name, machine: { infrastructure: ref, bootstrap: ref } });
    expect(phase.onUnavailable(named, why, now)).toMatchObject({
      report: { reason, message: `Waiting for Server to be deleted: ${why}`, error: why },
    });
  });

  test('deletes and passes nothing while the object cannot be read', () => {
    const named = aSubject({ phase: name, machine: { infrastructure: ref, bootstrap: ref } });
    expect(phase.onUnavailable(named, '500', now)).toEqual({
      kind: 'wait',
      until: [],
      report: { ...report, error: '500' },
      requeueAfterSeconds: 5,
    });
  });
});
