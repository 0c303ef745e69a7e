import { describe, expect, it } from 'vitest';
import { type Hooked, releaseHook, type TakenOff } from '../../../infra/hook/take-off.ts';
import { annotatedHooks, listOf } from '../../../shared/dialects/beside/hook.ts';
import type { JsonPatchOperation, Kubernetes, WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aStage, type GivenMachine, hook, machineResource, machines } from './stage.ts';

/** `before` runs as each patch is about to be sent, and may answer in its place. */
async function takenOff(
  given: GivenMachine,
  before: (cluster: Cluster, machine: KubeObject, tries: number) => WriteOutcome | void = () => undefined,
  more: Partial<Hooked> = {},
) {
  const { cluster, kubernetes, annotations } = await aStage({ a: given });
  const seen = cluster.get(machines, 'fleet', 'a');
  if (seen === undefined) throw new Error('no Machine');
  let tries = 0;
  const watched: Pick<Kubernetes, 'get' | 'jsonPatch'> = {
    get: (resource, key) => kubernetes.get(resource, key),
    async jsonPatch(resource, key, operations: JsonPatchOperation[]) {
      tries += 1;
      return before(cluster, seen, tries) ?? kubernetes.jsonPatch(resource, key, operations);
    },
  };
  const hooked = {
    kubernetes: watched,
    resource: machineResource,
    hooks: listOf(annotatedHooks('')),
    ...more,
  };
  const outcome = await releaseHook(hooked, seen);
  return { outcome, tries, left: annotations('a') };
}

type Cluster = Awaited<ReturnType<typeof aStage>>['cluster'];

const change = (cluster: Cluster, machine: KubeObject, annotations: Record<string, string | null>): void =>
  void cluster.patch(machines, machine, { metadata: { annotations } });

describe('our hook', () => {
  it.each<[string, GivenMachine, Partial<Hooked>, TakenOff, Record<string, string>]>([
    ['goes off a Machine that is being deleted', { isDeleting: true }, {}, { kind: 'released' }, {}],
    [
      'goes off a living one, which is marked',
      {},
      {},
      { kind: 'released' },
      { 'phaseout.dev/released': 'true' },
    ],
    [
      'stays where somebody has given it a value of his own',
      { annotations: { [hook]: 'team/me' }, isDeleting: true },
      {},
      { kind: 'foreign', value: 'team/me' },
      { [hook]: 'team/me' },
    ],
    [
      'stays on a copy that OpenShift’s own Machine rules',
      {
        annotations: { [hook]: 'phaseout.dev', 'cluster.x-k8s.io/paused': '' },
        finalizers: ['sync.machine.openshift.io/finalizer'],
      },
      {},
      {
        kind: 'elsewhere',
        why: "OpenShift's Machine of this name rules it. Run this again if the authority moves to Cluster API",
      },
      { [hook]: 'phaseout.dev' },
    ],
    ['is not missed where it is not', { annotations: {} }, {}, { kind: 'none' }, {}],
    [
      'is kept away from a living Machine that does not have it yet, where that is wanted',
      { annotations: {} },
      { marksUnhooked: true },
      { kind: 'released' },
      { 'phaseout.dev/released': 'true' },
    ],
    [
      'needs no mark on one that is being deleted',
      { annotations: {}, isDeleting: true },
      { marksUnhooked: true },
      { kind: 'none' },
      {},
    ],
  ])('%s', async (_, given, more, expected, left) => {
    expect(await takenOff(given, undefined, more)).toMatchObject({ outcome: expected, left });
  });
});

describe('while others write', () => {
  it('a changed Machine is read again, and what they wrote stays', async () => {
    const taking = takenOff({ isDeleting: true }, (cluster, machine, tries) => {
      if (tries < 4) change(cluster, machine, { 'phaseout.dev/checkpoint': String(tries) });
    });
    expect(await taking).toEqual({
      outcome: { kind: 'released' },
      tries: 4,
      left: { 'phaseout.dev/checkpoint': '3' },
    });
  });

  it('one that begins to be deleted gets no mark', async () => {
    const taking = takenOff({}, (cluster, machine, tries) => {
      if (tries === 1) cluster.remove(machines, machine);
    });
    expect(await taking).toEqual({ outcome: { kind: 'released' }, tries: 2, left: {} });
  });

  it('a hook that has gone meanwhile is none', async () => {
    const { outcome } = await takenOff({ isDeleting: true }, (cluster, machine) =>
      change(cluster, machine, { [hook]: null }),
    );
    expect(outcome).toEqual({ kind: 'none' });
  });

  it('a later Machine of the same name keeps its hook', async () => {
    const taking = takenOff({ isDeleting: true }, (cluster, machine) => {
      cluster.patch(machines, machine, { metadata: { finalizers: null } });
      const { uid: _, resourceVersion: __, deletionTimestamp: ___, ...metadata } = machine.metadata;
      cluster.create(machines, { ...machine, metadata });
    });
    expect(await taking).toEqual({
      outcome: { kind: 'gone' },
      tries: 1,
      left: { [hook]: 'phaseout.dev' },
    });
  });

  it('a Machine that has gone is gone', async () => {
    const { outcome } = await takenOff({ isDeleting: true }, (cluster, machine) => {
      cluster.patch(machines, machine, { metadata: { finalizers: null } });
    });
    expect(outcome).toEqual({ kind: 'gone' });
  });

  it('ten tries are enough', async () => {
    const { outcome, tries } = await takenOff({ isDeleting: true }, (cluster, machine, times) =>
      change(cluster, machine, { 'phaseout.dev/x': String(times) }),
    );
    expect(outcome).toEqual({
      kind: 'failed',
      why: 'it kept changing while it was to be written (10 times)',
    });
    expect(tries).toBe(10);
  });
});

describe('a hook that could not be taken off is told of', () => {
  it.each<[string, WriteOutcome | Error, string]>([
    ['refused by the API server', { kind: 'refused', code: 403, message: 'may not' }, 'may not'],
    [
      'without an answer',
      new Unavailable('failed calling webhook: no route'),
      'failed calling webhook: no route',
    ],
  ])('%s', async (_, answer, why) => {
    const { outcome } = await takenOff({ isDeleting: true }, () => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
    expect(outcome).toEqual({ kind: 'failed', why });
  });

  it('put back by a webhook', async () => {
    const { outcome } = await takenOff({ isDeleting: true }, (_, object) => ({ kind: 'written', object }));
    expect(outcome).toEqual({
      kind: 'failed',
      why: 'the hook is there again: a webhook or a policy puts it back',
    });
  });
});
