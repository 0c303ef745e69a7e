import { describe, expect, test } from 'vitest';
import { besideOpenShift } from '../../../../shared/dialects/beside/openshift.ts';
import type { BesideOptions } from '../../../../shared/dialects/beside/registration.ts';
import type { Dialect } from '../../../../shared/dialects/dialect.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { anInstallation } from '../../../builders/beside.ts';
import {
  after,
  aRawMachine,
  aStatusInput,
  drained,
  excluded,
  timeAfter,
} from '../../../builders/openshift.ts';

const beside = (options: Partial<BesideOptions> = {}): Dialect =>
  besideOpenShift(openShift, anInstallation(options));

const ours = { name: 'phaseout', owner: 'phaseout.dev' };
const etcd = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };
const blue = { name: 'phaseout-blue', owner: 'phaseout.dev' };

type Parts = Parameters<typeof aRawMachine>[0] & { hooks?: object[] };

const aRaw = ({ hooks = [ours], ...parts }: Parts = {}): KubeObject =>
  aRawMachine({ ...parts, spec: { lifecycleHooks: { preDrain: hooks }, ...parts.spec } });
const aMachine = (parts: Parts = {}) => openShift.read(aRaw(parts));
const living = (parts: Parts = {}) =>
  aMachine({ hooks: [], ...parts, metadata: { deletionTimestamp: undefined, ...parts.metadata } });

describe('beside OpenShift a Machine is ours', () => {
  test.each<[what: string, hooks: object[], isOurs: boolean]>([
    ['while our hook is on it', [etcd, ours], true],
    ['not without it', [etcd], false],
    ['not where somebody else has taken its name', [{ name: 'phaseout', owner: 'me' }], false],
    ['not by the hook of another installation', [blue], false],
  ])('%s', (_what, hooks, isOurs) => {
    expect(beside().hold.isOn(aMachine({ hooks }))).toBe(isOurs);
  });
});

describe('beside OpenShift a hook', () => {
  test.each<[what: string, hooks: object[], hooksAfter: string[], holding: string[]]>([
    ['of others holds it', [ours, etcd], [], ['EtcdQuorumOperator']],
    ['of ours does not', [ours], [], []],
    ['that goes after ours does not', [ours, etcd], ['EtcdQuorumOperator'], []],
    ['of another installation holds it', [ours, blue], [], ['phaseout-blue']],
  ])('%s', (_what, hooks, hooksAfter, holding) => {
    expect(beside({ hooksAfter }).hooks(aMachine({ hooks }), 'pre-drain')).toEqual(holding);
  });

  test('is named without ours', () => {
    expect(beside().hookMessage(aMachine({ hooks: [ours, etcd] }), 'pre-drain')).toBe(
      'Drain operation currently blocked by: [{Name:EtcdQuorumOperator Owner:clusteroperator/etcd}]',
    );
  });

  test('of ours holds nothing in place of the controllers', () => {
    expect(openShift.hooks(aMachine({ hooks: [ours, etcd] }), 'pre-drain')).toEqual(['EtcdQuorumOperator']);
  });

  test('that is passed over is not ours', () => {
    const machine = aMachine({ hooks: [ours, etcd], annotations: excluded });
    expect(beside().bypassedHooks(machine, 'pre-drain')).toEqual(['EtcdQuorumOperator']);
  });
});

const ruledBy = (authoritativeAPI: string) => ({ spec: { authoritativeAPI }, status: { authoritativeAPI } });

const due = (preDrain: object[], times = '1') => ({
  kind: 'due',
  deed: 'put on',
  annotations: { 'phaseout.dev/registered': times },
  spec: { lifecycleHooks: { preDrain } },
});
describe('our hook is put on', () => {
  const none = { kind: 'none' };

  test.each<[what: string, parts: Parts, expected: object]>([
    ['a living Machine', {}, due([ours])],
    ['a living Machine that has others, behind those', { hooks: [etcd] }, due([etcd, ours])],
    ['no Machine that has it', { hooks: [ours] }, none],
    ['no Machine that has that of another installation', { hooks: [blue] }, none],
    ['no Machine that is being deleted', { metadata: { deletionTimestamp: timeAfter(0) } }, none],
    ['no Machine that was released', { annotations: { 'phaseout.dev/released': 'true' } }, none],
    ['no Machine that Cluster API rules', ruledBy('ClusterAPI'), none],
    ['no Machine that is on its way there', ruledBy('Migrating'), none],
    ['no Machine that is to go there', { spec: { authoritativeAPI: 'ClusterAPI' } }, none],
  ])('%s', (_what, parts, expected) => {
    expect(beside().beside?.register(living(parts), 'PreDrain', true)).toEqual(expected);
  });
});

describe('the drain may be marked as done', () => {
  const sparing = beside().beside?.skipPeerDrain;
  const may = (parts: Parts): boolean | undefined =>
    sparing?.by === 'mark' ? sparing.canMark(aMachine(parts)) : undefined;
  const paused = { type: 'Paused', status: 'True', lastTransitionTime: timeAfter(0) };

  test.each<[what: string, parts: Parts, expected: boolean]>([
    ['where ours is the last hook', {}, true],
    ['where the API rules the Machine', ruledBy('MachineAPI'), true],
    ['not beside the hook of another', { hooks: [ours, etcd] }, false],
    ['not without ours', { hooks: [] }, false],
    ['not where ours has another owner', { hooks: [{ name: 'phaseout', owner: 'me' }] }, false],
    ['not under another authority', ruledBy('Migrating'), false],
    [
      'not where another authority is wanted',
      { spec: { authoritativeAPI: 'ClusterAPI' }, status: { authoritativeAPI: 'MachineAPI' } },
      false,
    ],
    ['not where its controller says that it is paused', { status: { conditions: [paused] } }, false],
    ['not on a living Machine', { metadata: { deletionTimestamp: undefined } }, false],
  ])('%s', (_what, parts, expected) => {
    expect(may(parts)).toBe(expected);
  });

  test('in one patch that tests which Machine, and which version of it, and keeps what others say', () => {
    const other = { type: 'Terminable', status: 'True', lastTransitionTime: timeAfter(-9) };
    const machine = aMachine({ status: { conditions: [other] } });
    expect(sparing?.by === 'mark' ? sparing.patch(machine, after(10)) : undefined).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'uid-1' },
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      {
        op: 'replace',
        path: '/status/conditions',
        value: [
          {
            type: 'Drained',
            status: 'True',
            message: 'Drain finished successfully',
            lastTransitionTime: timeAfter(10),
          },
          other,
        ],
      },
    ]);
  });
});

describe('what OpenShift’s controllers are at', () => {
  const stage = (parts: Parts) => beside().beside?.stage(aMachine(parts))?.phase;

  test.each<[what: string, parts: Parts, expected: string]>([
    ['a hook before the drain', { hooks: [etcd] }, 'pre-drain'],
    ['the drain', { hooks: [] }, 'drain'],
    ['the server', { hooks: [], status: { conditions: [drained] } }, 'infrastructure'],
    [
      'a hook before the end of the server',
      { spec: { lifecycleHooks: { preTerminate: [etcd] } }, status: { conditions: [drained] } },
      'pre-terminate',
    ],
  ])('%s', (_what, parts, expected) => {
    expect(stage(parts)).toBe(expected);
  });
});

describe('OpenShift’s controllers are at our hook before the end of the server', () => {
  const ofFormer = { ...drained, lastTransitionTime: timeAfter(-100_000) };

  test.each<[when: string, status: Record<string, unknown>, expected: boolean]>([
    ['once the Machine is marked as drained', { phase: 'Deleting', conditions: [drained] }, true],
    [
      'also where the mark is that of an earlier Machine: they go by any',
      { phase: 'Deleting', conditions: [ofFormer] },
      true,
    ],
    ['not before that', { phase: 'Deleting' }, false],
    ['not before they have begun', { phase: 'Running', conditions: [drained] }, false],
  ])('%s', (_when, status, expected) => {
    expect(beside().beside?.isAtPreTerminate(aMachine({ hooks: [], status }))).toBe(expected);
  });
});

test('beside OpenShift nothing is said but a condition of our own, and nothing of a paused Machine', () => {
  const dialect = beside();
  const said = dialect.status(aStatusInput({ report: { reason: 'DrainingNode', message: 'Pods are left' } }));
  expect(said['conditions']).toEqual([
    {
      type: 'phaseout.dev/Draining',
      status: 'True',
      reason: 'DrainingNode',
      message: 'Pods are left',
      lastTransitionTime: timeAfter(10),
    },
  ]);
  const elsewhere = aStatusInput({ status: { authoritativeAPI: 'ClusterAPI' } });
  expect(dialect.status(elsewhere)).toEqual(elsewhere.machine.raw['status']);
});
