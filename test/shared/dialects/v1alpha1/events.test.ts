import { expect, test } from 'vitest';
import type { Moment } from '../../../../shared/dialects/moment.ts';
import { originalApi } from '../../../../shared/dialects/v1alpha1/index.ts';
import { anOriginal } from '../../../builders/v1alpha1.ts';

test.each<[moment: Moment, reason: string | undefined, message: string | undefined]>([
  [{ what: 'server-failed', why: 'locked' }, 'FailedDelete', "error deleting Machine's instance: locked"],
  [{ what: 'server-stays', why: 'still there' }, 'DeletionLate', 'still there'],
  [{ what: 'node-failed', why: 'no' }, 'FailedDeleteNode', `error deleting Machine's node "node-1": no`],
  [{ what: 'blind', why: 'no Cluster' }, 'FailedDelete', 'no Cluster'],
  [{ what: 'unwritten', why: 'no finalizer goes' }, 'FailedDelete', 'no finalizer goes'],
  [{ what: 'refused', why: 'own' }, 'DeletionRefused', 'own'],
  [{ what: 'drained', isNodeGone: false }, undefined, undefined],
])('%j is told in words of our own, or not at all', (moment, reason, message) => {
  const events = originalApi.events(anOriginal(), moment);
  const expected = reason === undefined ? [] : [{ type: 'Warning', reason, message }];
  expect(events).toEqual(expected);
});
