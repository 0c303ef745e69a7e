import { describe, expect, test } from 'vitest';
import type { ActuatorRefusal } from '../../../../shared/actuator/port.ts';
import type { GateInput } from '../../../../shared/dialects/gate.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import type { Phase } from '../../../../shared/machine/phase.ts';
import {
  after,
  aMachine,
  drained,
  excluded,
  type Overrides,
  someSurroundings,
} from '../../../builders/openshift.ts';

describe('the drain', () => {
  const yearsLater: GateInput = { infrastructure: { kind: 'absent' }, startedAt: after(0), now: after(1e8) };

  test('is never out of time, and nothing but the annotation shuts it', () => {
    expect(openShift.gate('drain', aMachine(), yearsLater)).toEqual({ allowed: true });
  });

  test.each(['', 'true', 'false'])('is excluded by the annotation with the value "%s"', (value) => {
    const annotations = { 'machine.openshift.io/exclude-node-draining': value };
    const machine = aMachine({ annotations });
    expect(openShift.isDrainExcluded(machine)).toBe(true);
    expect(openShift.gate('drain', machine, yearsLater)).toEqual({
      allowed: false,
      passing: 'excluded',
      why: 'Machine has the machine.openshift.io/exclude-node-draining annotation',
    });
  });

  test("is not excluded by Cluster API's annotation", () => {
    const annotations = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
    expect(openShift.isDrainExcluded(aMachine({ annotations }))).toBe(false);
  });
});

test('volumes are waited for by nobody', () => {
  const input: GateInput = { infrastructure: { kind: 'unseen' }, startedAt: after(0), now: after(1) };
  expect(openShift.gate('volume-detach', aMachine(), input)).toEqual({
    allowed: false,
    passing: 'not-applicable',
    why: 'the API does not wait for volumes',
  });
  expect(openShift.phases).not.toContain('volume-detach');
});

const done = (machine: Overrides): Phase[] =>
  openShift.phases.filter((phase) => openShift.isDone(aMachine(machine), phase));

describe('a Machine that says it is drained', () => {
  test('has done with the phases up to the drain, hooks or not', () => {
    expect(done({ preDrain: ['a'], status: { conditions: [drained] } })).toEqual(['pre-drain', 'drain']);
  });

  test.each<[what: string, conditions: object[] | undefined]>([
    ['says nothing', undefined],
    ['says that it is not', [{ ...drained, status: 'False' }]],
    ['says it of something else', [{ ...drained, type: 'Drainable' }]],
  ])('is another one than the one that %s', (_what, conditions) => {
    expect(done({ status: { conditions } })).toEqual([]);
  });
});

describe('the Node', () => {
  test.each<[when: string, machine: Overrides, expected: object]>([
    ['the Machine has one', {}, { allowed: true }],
    ['the drain is excluded', { annotations: excluded }, { allowed: true }],
    [
      'there is none',
      { status: { nodeRef: undefined } },
      { allowed: false, why: 'the Machine has no nodeRef' },
    ],
  ])('may be touched or not when %s', (_when, machine, expected) => {
    expect(openShift.nodeDeletion(aMachine(machine), someSurroundings())).toEqual(expected);
  });

  test('is in the cluster of the Machine, and is never left behind', () => {
    expect(openShift.workload(aMachine())).toEqual({ kind: 'here' });
    expect(openShift.isNodeDeletionOver(aMachine(), after(0), after(1e8))).toBe(false);
  });
});

describe('a refusal of the provider', () => {
  const invalid: ActuatorRefusal = {
    kind: 'failed',
    reason: 'InvalidConfiguration',
    message: 'no such zone',
  };

  test.each<[what: string, refusal: ActuatorRefusal, addresses: unknown, forgiven: boolean]>([
    ['an invalid configuration without any address', invalid, undefined, true],
    ['an invalid configuration with no address in the list', invalid, [], true],
    ['an invalid configuration after there was a server', invalid, [{ address: '10.0.0.1' }], false],
    ['another error', { ...invalid, reason: 'DeleteError' }, undefined, false],
    ['an error without a reason', { ...invalid, reason: undefined }, undefined, false],
    ['a retry', { kind: 'retry', afterSeconds: 3, message: 'busy' }, undefined, false],
  ])('is forgiven or not: %s', (_what, refusal, addresses, forgiven) => {
    const { termination } = openShift;
    const machine = aMachine({ status: { addresses } });
    expect(termination.by === 'actuator' && termination.forgives(machine, refusal)).toBe(forgiven);
  });

  test('or its consent is not the end of the server: that is when it is absent', () => {
    expect(openShift.termination).toMatchObject({ by: 'actuator', goneWhen: 'absent' });
  });
});

describe('what the API demands', () => {
  const label = 'missing machine.openshift.io/cluster-api-cluster label.';
  const value = 'spec.spec.providerspec: Invalid value: {}: value field must be set';

  test.each<[what: string, machine: Overrides, message: string | undefined]>([
    ['nothing more than there is', {}, undefined],
    ['an empty value is one', { spec: { providerSpec: { value: {} } } }, undefined],
    [
      'a label where there are none',
      { metadata: { labels: undefined } },
      `spec.labels: Invalid value: null: ${label}`,
    ],
    [
      'a label where there are others',
      { metadata: { labels: { b: '2', a: '1' } } },
      `spec.labels: Invalid value: {"a":"1","b":"2"}: ${label}`,
    ],
    [
      'a label with a value',
      { metadata: { labels: { 'machine.openshift.io/cluster-api-cluster': '' } } },
      `spec.labels: Invalid value: {"machine.openshift.io/cluster-api-cluster":""}: ${label}`,
    ],
    ['a provider spec', { spec: { providerSpec: undefined } }, value],
    ['its value', { spec: { providerSpec: { value: null } } }, value],
    [
      'both',
      { metadata: { labels: {} }, spec: { providerSpec: {} } },
      `[spec.labels: Invalid value: {}: ${label}, ${value}]`,
    ],
  ])('is said in its words: %s', (_what, machine, message) => {
    expect(openShift.invalidity(aMachine(machine))).toBe(message);
  });
});

const message = (authority: string): string[] => [`The AuthoritativeAPI status is set to '${authority}'`];

describe('a pause', () => {
  test.each<[what: string, spec: string | undefined, status: string | undefined, paused: string[]]>([
    ['an API without authorities', undefined, undefined, []],
    ['the Machine API', 'MachineAPI', 'MachineAPI', []],
    ['Cluster API', 'ClusterAPI', 'ClusterAPI', message('ClusterAPI')],
    ['a move that is under way', 'ClusterAPI', 'Migrating', message('Migrating')],
    ['a move that was only asked for', 'ClusterAPI', 'MachineAPI', []],
    ['a spec that the status has not followed yet', 'ClusterAPI', undefined, message('ClusterAPI')],
    ['an empty status', 'MachineAPI', '', []],
    ['an authority nobody knows', 'MachineAPI', 'Another', message('Another')],
  ])('follows the authority: %s', (_what, spec, status, paused) => {
    const machine = aMachine({ spec: { authoritativeAPI: spec }, status: { authoritativeAPI: status } });
    expect(openShift.pausedBy(machine, someSurroundings())).toEqual(paused);
  });
});

describe('a living Machine', () => {
  test.each<[what: string, machine: Overrides, finalizers: string[]]>([
    ['is held on to', {}, ['machine.machine.openshift.io']],
    ['is not while Cluster API rules it', { status: { authoritativeAPI: 'ClusterAPI' } }, []],
    ['is not while it is moved', { status: { authoritativeAPI: 'Migrating' } }, []],
    ['is not without the label of its cluster', { metadata: { labels: {} } }, []],
    ['is not without a providerSpec', { spec: { providerSpec: {} } }, []],
  ])('%s', (_what, machine, finalizers) => {
    expect(openShift.finalizersOf(aMachine(machine))).toEqual(finalizers);
  });
});
