import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { conditionsFrom, find } from '../../../shared/dialects/conditions.ts';
import type { GateInput } from '../../../shared/dialects/gate.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import type { StatusInput } from '../../../shared/dialects/status-input.ts';
import type { Condition } from '../../../shared/kubernetes/objects.ts';
import { aCheckpoint, after, aMachine, aStatusInput, timeAfter } from '../../builders/cluster-api.ts';
import {
  aMachine as aMachineOfOpenShift,
  drained,
  aStatusInput as inputOfOpenShift,
} from '../../builders/openshift.ts';

/** The Machine was made again ten minutes before its deletion, with the status of an earlier one. */
const metadata = { creationTimestamp: timeAfter(-600) };
const former = timeAfter(-601);

const said = (type: string, status: string, time: string): object => ({
  deprecated: { v1beta1: { conditions: [{ type, status, lastTransitionTime: time }] } },
});

describe('in Cluster API, of a Machine that was made again with the status it had', () => {
  const deletion = {
    waitForPreDrainHookStartTime: former,
    nodeDrainStartTime: former,
    waitForNodeVolumeDetachStartTime: former,
    waitForPreTerminateHookStartTime: former,
  };
  const madeAgain = (status: object = { deletion }) => aMachine({ metadata, status: { ...status } });
  const deletionOf = (input: Partial<StatusInput>) =>
    clusterApi.status(aStatusInput({ machine: madeAgain(), ...input }))['deletion'];

  test('the times of the earlier deletion are no starts of this one', () => {
    expect(clusterApi.startTimes(madeAgain())).toEqual({});
    const own = { ...deletion, nodeDrainStartTime: timeAfter(-600) };
    expect(clusterApi.startTimes(madeAgain({ deletion: own }))).toEqual({ drain: timeAfter(-600) });
  });

  test.each(['drain', 'volume-detach'] as const)('its step %s is still to be done', (step) => {
    const input: GateInput = { infrastructure: { kind: 'unseen' }, startedAt: after(0), now: after(60) };
    expect(clusterApi.gate(step, madeAgain(), input)).toEqual({ allowed: true });
  });

  test('each time goes from the status, and those of this deletion come', () => {
    expect(deletionOf({})).toEqual({ nodeDrainStartTime: timeAfter(10) });
    const passed = { drain: { as: 'excluded', since: timeAfter(2) } } as const;
    const checkpoint = aCheckpoint({ phase: 'infrastructure', passed });
    expect(deletionOf({ checkpoint })).toBeNull();
  });

  test('its hooks were not waited for', () => {
    expect(clusterApi.hasWaitedForHooks(madeAgain())).toBe(false);
  });

  test.each([
    [former, false],
    [timeAfter(-600), true],
  ])('what conditions say since %s counts: %s', (time, expected) => {
    const hooks = madeAgain(said('PreTerminateDeleteHookSucceeded', 'False', time));
    expect(clusterApi.hasWaitedForHooks(hooks)).toBe(expected);
  });
});

const drainedIn = ({ conditions }: Record<string, unknown>): unknown =>
  find(conditionsFrom(conditions), 'Drained');

describe('in OpenShift, of a Machine that was made again with the status it had', () => {
  const formerlyDrained: Condition = { ...drained, lastTransitionTime: former };
  const parts = { metadata, preDrain: ['a'], status: { conditions: [formerlyDrained] } };

  test('that it is drained was said of another, and its hooks hold', () => {
    const machine = aMachineOfOpenShift(parts);
    expect(openShift.phases.filter((phase) => openShift.isDone(machine, phase))).toEqual([]);
    expect(openShift.hooks(machine, 'pre-drain')).toEqual(['a']);
  });

  test.each<[string, number, string | undefined]>([
    ['it goes', after(9), undefined],
    ['it is said anew', after(9), timeAfter(9)],
    ['it is said since the Machine was made, by a clock that is behind', after(-3_600), timeAfter(-600)],
  ])('in the status of its own deletion %s', (_what, now, time) => {
    const passed = { drain: { as: 'done', since: timeAfter(1) } } as const;
    const over = { checkpoint: { phase: 'pre-terminate', passed } } as const;
    const input = inputOfOpenShift({ ...parts, ...(time === undefined ? {} : over), now });
    const own = time === undefined ? undefined : { ...drained, lastTransitionTime: time };
    expect(drainedIn(openShift.status(input))).toEqual(own);
  });

  test('nothing else goes with it', () => {
    const exists: Condition = { type: 'InstanceExists', status: 'True', lastTransitionTime: former };
    const input = inputOfOpenShift({ ...parts, status: { conditions: [formerlyDrained, exists] } });
    const { conditions } = openShift.status(input);
    expect(find(conditionsFrom(conditions), 'InstanceExists')).toEqual(exists);
  });
});
