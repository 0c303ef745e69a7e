import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { standingOf } from '../../../infra/cli/run/follow.ts';
import { checkpointAnnotation, serializeCheckpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import { aCheckpoint } from '../../builders/cluster-api.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { aRawMachine } from '../../builders/openshift.ts';
import { anOutside, parsed } from './outside.ts';

const anOpenShiftMachine = (name: string, metadata: object = {}, spec: object = {}) => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name,
    namespace: 'fleet',
    uid: `openshift-${name}`,
    labels: { 'machine.openshift.io/cluster-api-cluster': 'blue' },
    finalizers: ['machine.machine.openshift.io'],
    ...metadata,
  },
  spec: {
    providerID: `aws:///eu-west-1a/i-${name}`,
    providerSpec: { value: { instanceType: 'm5' } },
    ...spec,
  },
  status: { phase: 'Running', nodeRef: { kind: 'Node', name, uid: `node-${name}` } },
});

const deleted = { deletionTimestamp: '2026-01-02T00:00:00Z' };

const withDump = (items: object[], ...args: string[]) => withDumpAnd({}, items, ...args);

async function withDumpAnd(env: Record<string, string>, items: object[], ...args: string[]) {
  const { outside, written, folder } = await anOutside();
  const path = await aDump(folder, items);
  const code = await main([...args, '--load', path], { ...outside, env: { ...outside.env, ...env } });
  return { code, ...written, lines: written.stdout.trimEnd().split('\n') };
}

describe('a dump with Machines of two APIs', () => {
  const both = [
    aMachine('a'),
    anAwsMachine('a'),
    anOpenShiftMachine('a'),
    anOpenShiftMachine('b'),
    aNode('b'),
  ];

  it('does not let it be guessed which of two of one name is meant', async () => {
    const { code, stdout, stderr } = await withDump(both, 'plan', 'fleet/a');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'phaseout: Machine fleet/a is in several Machine APIs; say which: capi:fleet/a or openshift:fleet/a\nTry: phaseout plan --help\n',
    );
  });

  it.each([
    ['capi:fleet/a', 'cluster.x-k8s.io/v1beta2'],
    ['openshift:fleet/a', 'machine.openshift.io/v1beta1'],
    ['fleet/b', 'machine.openshift.io/v1beta1'],
  ])('has a plan for %s', async (name, apiVersion) => {
    const { code, stdout } = await withDump(both, 'plan', name, '-o', 'json');
    expect({ code, plan: parsed(stdout) }).toMatchObject({ code: 0, plan: { machine: { apiVersion } } });
  });

  it('has a plan that says for which of them it is', async () => {
    const { lines } = await withDump(both, 'plan', 'openshift:fleet/a');
    expect(lines[0]).toBe('Deleting Machine openshift:fleet/a');
  });

  it('has each deleted in its own way, and shows of which API it is', async () => {
    const names = ['openshift:fleet/a', 'capi:fleet/a'];
    const { code, stderr, lines } = await withDump(both, 'run', '--delete', ...names);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines).toContain(
      '  Machines: capi:fleet/a Running, openshift:fleet/a Running, openshift:fleet/b Running',
    );
    expect(lines.filter((line) => line.includes('is gone after')).map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(names),
    );
    const bootstrap = lines.filter((line) => line.includes('phase=bootstrap'));
    expect(bootstrap.filter((line) => !line.includes('machine=capi:fleet/a '))).toEqual([]);
  });

  it('has none of an API that is not to be looked after', async () => {
    const env = { PHASEOUT_MACHINE_APIS: 'openshift' };
    const run = await withDumpAnd(env, both, 'run', '--delete', 'fleet/a');
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    expect(run.lines).toContain('  Machines: fleet/a Running, fleet/b Running');
    const plan = await withDumpAnd(env, both, 'plan', 'capi:fleet/a');
    expect(plan).toMatchObject({ code: 1, stdout: '' });
  });

  it('names them in full when it has to be told which to delete', async () => {
    const { code, stderr } = await withDump(both, 'run');
    expect({ code, first: stderr.split('\n')[0] }).toEqual({
      code: 2,
      first:
        'phaseout: no Machine is being deleted; choose with --delete NAMESPACE/NAME from: capi:fleet/a, openshift:fleet/a, openshift:fleet/b',
    });
  });
});

describe('a dump of OpenShift', () => {
  it('goes on with the Machines that were being deleted, and asks no provider that it came from', async () => {
    const items = [anOpenShiftMachine('a', deleted), aNode('a'), anOpenShiftMachine('b'), aNode('b')];
    const { code, stderr, lines } = await withDump(items, 'run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines).toContainEqual(expect.stringMatching(/^fleet\/a is gone after /));
    expect(lines).toContain('  Machines: fleet/b Running');
  });

  it('says what a Machine waits for that nobody comes for', async () => {
    const hooks = { lifecycleHooks: { preDrain: [{ name: 'Migrate', owner: 'nobody' }] } };
    const items = [anOpenShiftMachine('a', deleted, hooks), aNode('a')];
    const { code, stderr } = await withDump(items, 'run', '--timeout', '3');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'phaseout: not gone after 3 s:\n  fleet/a: pre-drain: hook Migrate of nobody\n',
    });
  });
});

const at = (phase: Phase, conditions: object[]) => {
  const checkpoint = serializeCheckpoint(aCheckpoint({ phase }));
  return standingOf(
    aRawMachine({ annotations: { [checkpointAnnotation]: checkpoint }, status: { conditions } }),
    Date.parse('2026-01-01T12:01:00Z'),
  );
};

describe('where an OpenShift Machine says that its deletion stands, as status tells it', () => {
  const held = { type: 'Drainable', status: 'False', reason: 'HookPresent', message: 'blocked by: x' };

  it.each([
    ['pre-drain', [held], { reason: 'WaitingForPreDrainHook', message: 'blocked by: x' }],
    [
      'pre-terminate',
      [held],
      { reason: 'WaitingForPreTerminateHook', message: 'No pre-terminate hook holds it any more' },
    ],
    [
      'drain',
      [{ type: 'Drained', status: 'False', reason: 'DrainError', message: 'could not drain' }],
      { reason: 'DrainingNode', message: 'could not drain' },
    ],
    [
      'drain',
      [{ ...held, type: 'Drained', status: 'True' }],
      { reason: 'DrainingNode', message: 'Draining the Node' },
    ],
    ['node', [], { reason: 'DeletingNode', message: 'Deleting the Node' }],
  ] as const)('is told for %s with %j', (phase, conditions, told) => {
    expect(at(phase, [...conditions])).toEqual({ event: 'waits', phase, ...told });
  });
});
