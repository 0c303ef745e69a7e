import { describe, expect, test } from 'vitest';
import { observedProvider } from '../../../../infra/host/metrics/provider.ts';
import type { DeleteAnswer } from '../../../../shared/actuator/port.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { anActuator } from '../../../builders/actuator.ts';
import { clockOf } from '../../../builders/clock.ts';
import { countedMetrics, recordedTracing } from '../../../builders/observed.ts';

const target = (apiVersion: string) => ({
  machine: { apiVersion, metadata: { name: 'w-1', namespace: 'machines', uid: 'uid-1' } },
  cluster: undefined,
});
const openShift = target('machine.openshift.io/v1beta1');
const original = target('cluster.k8s.io/v1alpha1');

function observed(actuator = anActuator()) {
  const { metrics, counted } = countedMetrics();
  const { tracing, spans } = recordedTracing();
  const time = { now: 0 };
  const slow = {
    ...actuator,
    delete: (...args: Parameters<typeof actuator.delete>) => {
      time.now += 1_500;
      return actuator.delete(...args);
    },
  };
  const provider = observedProvider(slow, { metrics, tracing, clock: clockOf(() => time.now) });
  return { provider, counted, spans };
}

const failed: DeleteAnswer = { kind: 'failed', reason: 'DeleteError', message: 'quota' };

describe('a call of the provider', () => {
  test('is passed on, counted with its answer and time, and is a span', async () => {
    const actuator = anActuator();
    const { provider, counted, spans } = observed(actuator);
    expect(await provider.delete(original)).toEqual({ kind: 'accepted' });
    expect(actuator.asked).toEqual(['delete uid-1']);
    expect(counted).toEqual([
      'providerCalls machine_api=v1alpha1 operation=delete answer=accepted',
      'providerCallSeconds operation=delete 1.5',
    ]);
    expect(spans).toMatchObject([
      { name: 'provider delete', kind: 'client', attributes: { 'phaseout.provider.answer': 'accepted' } },
    ]);
  });

  test.each(['exists', 'create', 'update'] as const)('%s is as well', async (operation) => {
    const { provider, counted } = observed();
    const { kind } = await provider[operation](openShift);
    expect(counted[0]).toBe(`providerCalls machine_api=openshift operation=${operation} answer=${kind}`);
  });

  test('that is no delete is not counted as one that was refused', async () => {
    const actuator = anActuator();
    actuator.create = () => Promise.resolve(failed);
    const { provider, counted } = observed(actuator);
    await provider.create(openShift);
    expect(counted.filter((line) => line.startsWith('instanceDeleteFailed'))).toEqual([]);
  });

  test('that no usable answer came of is counted as that, and stays a failure', async () => {
    const actuator = anActuator();
    actuator.delete = () => Promise.reject(new Unavailable('no answer within 20 s'));
    const { provider, counted } = observed(actuator);
    await expect(provider.delete(openShift)).rejects.toThrow('no answer within 20 s');
    expect(counted).toContain('providerCalls machine_api=openshift operation=delete answer=none');
  });
});

describe('a delete that the provider refuses', () => {
  const refusals = async (machine: typeof openShift, answer: DeleteAnswer): Promise<string[]> => {
    const { provider, counted } = observed(anActuator({ deletes: [answer] }));
    await provider.delete(machine);
    return counted.filter((line) => line.startsWith('instanceDeleteFailed'));
  };

  test.each<[string, typeof openShift, DeleteAnswer, string[]]>([
    [
      "of OpenShift's is counted by Machine",
      openShift,
      failed,
      ['name=w-1 namespace=machines reason=DeleteError'],
    ],
    [
      'for a reason it does not give is counted as well',
      openShift,
      { kind: 'failed', reason: undefined, message: 'no' },
      ['name=w-1 namespace=machines reason=Unknown'],
    ],
    ['for a while is none', openShift, { kind: 'retry', afterSeconds: 5, message: 'busy' }, []],
    ['of another Machine API is not told so', original, failed, []],
  ])('%s', async (_what, machine, answer, expected) => {
    expect(await refusals(machine, answer)).toEqual(
      expected.map((labels) => `instanceDeleteFailed ${labels}`),
    );
  });
});
