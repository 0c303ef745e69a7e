import { expect, test } from 'vitest';
import type { Moment } from '../../../../shared/dialects/moment.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import { aMachine } from '../../../builders/openshift.ts';

/** `Normal Reason by component: message`. Where none is named it is the Machine controller. */
const told = (moment: Moment): string[] =>
  openShift
    .events(aMachine(), moment)
    .map(
      ({ type, reason, component = 'machine-controller', message }) =>
        `${type} ${reason} by ${component}: ${message}`,
    );

const byDrain = (reason: string, message: string) =>
  `Normal ${reason} by machine-drain-controller: ${message}`;
const byMachine = (reason: string, message: string) => `Warning ${reason} by machine-controller: ${message}`;
const proceeds = byDrain('DrainProceeds', 'Node drain proceeds');

test.each<[moment: Moment, events: string[]]>([
  [{ what: 'drain-held' }, [byDrain('DrainBlocked', 'Drain blocked by pre-drain hook')]],
  [{ what: 'drain-begun' }, [proceeds]],
  [
    { what: 'drain-pending', why: 'a Pod stays' },
    [proceeds, byDrain('DrainRequeued', 'Node drain requeued: a Pod stays')],
  ],
  [
    { what: 'drain-failed', why: 'drain not permitted: requeue in: 20s' },
    [proceeds, byDrain('DrainRequeued', 'Node drain requeued: drain not permitted: requeue in: 20s')],
  ],
  [
    { what: 'drained', isNodeGone: false },
    [
      proceeds,
      byDrain('Deleted', 'Node "node-1" drained'),
      byDrain('DrainSucceeded', 'Node drain succeeded'),
    ],
  ],
  [{ what: 'drained', isNodeGone: true }, [proceeds, byDrain('DrainSucceeded', 'Node drain succeeded')]],
  [{ what: 'drain-skipped' }, [byDrain('DrainSkipped', 'Node drain skipped')]],
  [
    { what: 'server-failed', why: 'locked' },
    [byMachine('FailedDelete', 'm-1: failed to delete machine: locked')],
  ],
  [
    { what: 'unwritten', why: 'no finalizer goes' },
    [byMachine('FailedDelete', 'm-1: failed to delete machine: no finalizer goes')],
  ],
  [{ what: 'server-stays', why: 'still there' }, [byMachine('DeletionLate', 'm-1: still there')]],
  [
    { what: 'node-failed', why: 'no' },
    [byMachine('FailedDeleteNode', 'm-1: error deleting node for machine: no')],
  ],
  [
    { what: 'invalid', why: 'spec.labels: no' },
    [byMachine('FailedValidate', 'm-1: machine validation failed: spec.labels: no')],
  ],
  [{ what: 'volumes-failed', why: 'no' }, []],
  [{ what: 'volumes-detached' }, []],
  [{ what: 'refused', why: 'no' }, []],
])('%j is told as its controllers tell it', (moment, events) => {
  expect(told(moment)).toEqual(events);
});
