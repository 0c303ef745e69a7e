import { expect, test } from 'vitest';
import { checkpointAnnotation } from '../../../shared/machine/checkpoint.ts';
import { isBefore, phases } from '../../../shared/machine/phase.ts';
import type { PhaseOutcome, Reason } from '../../../shared/machine/reason.ts';

// Machines store these names, events carry them and users' alerts read them. A change here breaks deletions that are
// under way. Names may be added, never changed or taken away.

test('phases keep their names and their order', () => {
  expect(phases).toEqual([
    'pre-drain',
    'drain',
    'volume-detach',
    'hand-over',
    'pre-terminate',
    'infrastructure',
    'bootstrap',
    'node',
    'finalize',
  ]);
});

test('the checkpoint keeps its annotation', () => {
  expect(checkpointAnnotation).toBe('phaseout.dev/checkpoint');
});

test('reasons keep their names', () => {
  const reasons: Record<Reason, true> = {
    Deleting: true,
    InternalError: true,
    Paused: true,
    FailedValidate: true,
    RunsPhaseout: true,
    WaitingForPreDrainHook: true,
    WaitingForDrainPolicy: true,
    DrainingNode: true,
    WaitingForVolumeDetach: true,
    HandingOver: true,
    NodeOfAnotherServer: true,
    NodeUnknown: true,
    WaitingForPreTerminateHook: true,
    WaitingForInfrastructureDeletion: true,
    WaitingForBootstrapDeletion: true,
    DeletingNode: true,
    DeletionCompleted: true,
  };
  expect(Object.keys(reasons)).toHaveLength(17);
});

test('ways of passing a phase keep their names', () => {
  const passings: Record<PhaseOutcome, true> = {
    done: true,
    excluded: true,
    'timed-out': true,
    'not-applicable': true,
  };
  expect(Object.keys(passings)).toHaveLength(4);
});

test('a phase is before the later ones only', () => {
  expect(isBefore('drain', 'volume-detach')).toBe(true);
  expect(isBefore('drain', 'drain')).toBe(false);
  expect(isBefore('volume-detach', 'drain')).toBe(false);
});
