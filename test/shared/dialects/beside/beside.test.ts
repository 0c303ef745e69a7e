import { describe, expect, test } from 'vitest';
import type { StatusInput } from '../../../../shared/dialects/status-input.ts';
import type { Machine } from '../../../../shared/machine/machine.ts';
import { beside, ourHook } from '../../../builders/beside.ts';
import { after, aMachine, aStatusInput, someSurroundings } from '../../../builders/cluster-api.ts';
import { aLivingMachine } from '../../../builders/living.ts';

const prefix = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const hooked = (annotations: Record<string, string> = {}) =>
  aMachine({ annotations: { [ourHook]: 'phaseout.dev', ...annotations } });

describe('a Machine is ours', () => {
  test.each<[what: string, annotations: Record<string, string>, isOurs: boolean]>([
    ['while our hook is on it', { [ourHook]: 'phaseout.dev' }, true],
    ['not without it', {}, false],
    ['not where somebody else has taken its name', { [ourHook]: 'somebody' }, false],
    ['not by the hook of another installation', { [`${ourHook}-blue`]: 'phaseout.dev' }, false],
  ])('%s', (_what, annotations, isOurs) => {
    expect(beside().hold.isOn(aMachine({ annotations }))).toBe(isOurs);
  });
});

const copy = (annotations: Record<string, string>, ...finalizers: string[]) =>
  aLivingMachine({
    raw: { ...aLivingMachine().raw, metadata: { name: 'm-1', annotations, finalizers } },
  });

describe('a copy that OpenShift’s own Machine rules', () => {
  const paused = { 'cluster.x-k8s.io/paused': '' };
  const sync = 'sync.machine.openshift.io/finalizer';

  test.each<[what: string, machine: Machine, kind: string]>([
    ['gets no hook of ours', copy(paused, sync), 'none'],
    ['gets it once it rules itself', copy({}, sync), 'due'],
    ['is none where OpenShift keeps no copies', copy(paused), 'due'],
  ])('%s', (_what, machine, kind) => {
    expect(beside().beside?.register(machine, 'PreDrain', true).kind).toBe(kind);
  });

  test('is never late', () => {
    const { raw } = copy(paused, sync);
    expect(beside().beside?.isLate({ ...aMachine(), raw }, 'PreDrain')).toBe(false);
    expect(beside().beside?.isLate(aMachine(), 'PreDrain')).toBe(true);
  });
});

describe('hooks', () => {
  test.each<[what: string, hooks: string[], hooksAfter: string[], holding: string[]]>([
    ['of others hold it', [`${prefix}/move`], [], [`${prefix}/move`]],
    ['of ours do not', [], [], []],
    ['that go after ours do not, by what follows the slash', [`${prefix}/last`], ['last'], []],
    ['that go after ours do not, by all of it', [`${prefix}/last`], [`${prefix}/last`], []],
    ['of others hold it beside those', [`${prefix}/last`, `${prefix}/move`], ['last'], [`${prefix}/move`]],
    ['of another installation hold it', [`${ourHook}-blue`], [], [`${ourHook}-blue`]],
  ])('%s', (_what, hooks, hooksAfter, holding) => {
    const machine = hooked(Object.fromEntries(hooks.map((hook) => [hook, ''])));
    expect(beside({ hooksAfter }).hooks(machine, 'pre-drain')).toEqual(holding);
  });

  test('before the end of the server are its own controller’s', () => {
    const machine = hooked({ 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '' });
    expect(beside().hooks(machine, 'pre-terminate')).toEqual([]);
  });

  test('are named without ours', () => {
    expect(beside().hookMessage(hooked({ [`${prefix}/move`]: '' }), 'pre-drain')).toBe(
      `Waiting for pre-drain hooks to succeed (hooks: ${prefix}/move)`,
    );
  });
});

const excludeDrain = 'machine.cluster.x-k8s.io/exclude-node-draining';

describe('a Machine that is excluded from drains', () => {
  const machine = hooked({ [excludeDrain]: '' });
  const input = { infrastructure: { kind: 'unseen' }, startedAt: undefined, now: after(10) } as const;

  test('is let go: neither drain nor volumes are waited for', () => {
    const dialect = beside();
    expect([dialect.isDrainExcluded(machine), dialect.isVolumeWaitExcluded(machine)]).toEqual([true, true]);
    expect(dialect.gate('drain', machine, input).allowed).toBe(false);
  });

  test('is drained all the same where the installation says so', () => {
    const dialect = beside({ drainsExcluded: true });
    expect([dialect.isDrainExcluded(machine), dialect.isVolumeWaitExcluded(machine)]).toEqual([false, false]);
    expect(dialect.gate('drain', machine, input).allowed).toBe(true);
  });
});

test('what clusterctl moves is left as it is', () => {
  const moved = hooked({ 'clusterctl.cluster.x-k8s.io/delete-for-move': '' });
  expect(beside().pausedBy(moved, someSurroundings())).toEqual([
    'Machine has the clusterctl.cluster.x-k8s.io/delete-for-move annotation',
  ]);
});

const own = (input: StatusInput) => {
  const { conditions } = beside().status(input);
  return (Array.isArray(conditions) ? conditions : []).find(({ type }) => type === 'phaseout.dev/Draining');
};

describe('the status', () => {
  const report = { reason: 'DrainingNode', message: 'Drain not completed yet' } as const;

  test('has one condition of ours, and all else as it was', () => {
    const ready = {
      type: 'Ready',
      status: 'False',
      reason: 'NotReady',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const machine = aMachine({ status: { conditions: [ready], phase: 'Deleting' } });
    const status = beside().status(aStatusInput({ machine, report, now: after(10) }));
    expect(status).toMatchObject({
      phase: 'Deleting',
      conditions: [
        ready,
        {
          type: 'phaseout.dev/Draining',
          status: 'True',
          reason: 'DrainingNode',
          message: 'Drain not completed yet',
          lastTransitionTime: '2026-01-01T12:00:10Z',
        },
      ],
    });
    expect(status).not.toHaveProperty('deletion.nodeDrainStartTime');
  });

  test('says what phaseout remarks on its own', () => {
    const remarked = { ...report, remarks: ['The Node is unreachable.'] };
    expect(own(aStatusInput({ machine: aMachine(), report: remarked }))).toMatchObject({
      message: 'Drain not completed yet\nThe Node is unreachable.',
    });
  });

  test('says at the end that the drain is over', () => {
    const machine = aMachine();
    const over = { reason: 'HandingOver', message: 'Handed over' } as const;
    expect(own(aStatusInput({ machine, report: over }))).toMatchObject({
      status: 'False',
      reason: 'HandingOver',
    });
  });

  test('in v1beta1 has it among the newer conditions', () => {
    const machine = aMachine({ apiVersion: 'cluster.x-k8s.io/v1beta1' });
    expect(beside().status(aStatusInput({ machine, report }))).toMatchObject({
      v1beta2: { conditions: [{ type: 'phaseout.dev/Draining' }] },
    });
  });

  test.each([[['paused']], [undefined]])(
    'says nothing of a Machine that is paused, or may be: %s',
    (paused) => {
      expect(own(aStatusInput({ machine: aMachine(), report, paused }))).toBeUndefined();
    },
  );
});
