import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { machineErrorReasons } from '../../shared/actuator/port.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { aCluster, anOpenShiftMachine, aV1alpha1Machine, targetOf } from '../builders/provider-machines.ts';
import { implementations, type OpenActuator } from './actuator/implementations.ts';

const failing = (failures: string) =>
  targetOf(anOpenShiftMachine({ annotations: { 'local.phaseout.dev/provider-fails': failures } }));

describe.each(implementations)('the actuator: $name', ({ open }) => {
  let opened: OpenActuator;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  test('a Machine nobody has made a server for is absent', async () => {
    expect(await opened.actuator.exists(targetOf(anOpenShiftMachine()))).toEqual({ kind: 'absent' });
  });

  test('a server exists from the moment it is created, and says how long it still needs', async () => {
    const target = targetOf(anOpenShiftMachine({ uid: 'u-1' }));
    expect(await opened.actuator.create(target)).toEqual({
      kind: 'done',
      report: {
        providerID: 'local:///u-1',
        providerStatus: { instanceId: 'local:///u-1', instanceState: 'creating' },
      },
    });
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'exists', retryAfterSeconds: 4 });
  });

  test('a server that runs has addresses', async () => {
    const target = targetOf(anOpenShiftMachine({ uid: 'u-1' }));
    await opened.actuator.create(target);
    await opened.pass(4);
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'exists' });
    expect(await opened.actuator.update(target)).toEqual({
      kind: 'done',
      report: {
        providerID: 'local:///u-1',
        addresses: [
          { type: 'InternalIP', address: '10.64.0.2' },
          { type: 'Hostname', address: 'worker-1' },
        ],
        providerStatus: { instanceId: 'local:///u-1', instanceState: 'running' },
      },
    });
  });

  test('creating again makes no second server', async () => {
    const target = targetOf(anOpenShiftMachine());
    const first = await opened.actuator.create(target);
    expect(await opened.actuator.create(target)).toEqual(first);
    await opened.pass(10);
    await opened.actuator.delete(target);
    await opened.pass(6);
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'absent' });
  });

  test('deleting what never existed is accepted', async () => {
    expect(await opened.actuator.delete(targetOf(anOpenShiftMachine()))).toEqual({ kind: 'accepted' });
    expect(await opened.actuator.delete(targetOf(aV1alpha1Machine(), aCluster))).toEqual({
      kind: 'accepted',
    });
  });

  test('OpenShift: a delete is accepted at once, and the server exists until it is gone', async () => {
    const target = targetOf(anOpenShiftMachine());
    await opened.actuator.create(target);
    await opened.pass(4);
    expect(await opened.actuator.delete(target)).toEqual({ kind: 'accepted' });
    await opened.pass(2);
    expect(await opened.actuator.delete(target)).toEqual({ kind: 'accepted' });
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'exists', retryAfterSeconds: 4 });
    await opened.pass(4);
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'absent' });
    expect(await opened.actuator.delete(target)).toEqual({ kind: 'accepted' });
  });

  test('v1alpha1: a delete is accepted only when the server is gone', async () => {
    const target = targetOf(aV1alpha1Machine({ uid: 'u-1' }), aCluster);
    await opened.actuator.create(target);
    await opened.pass(4);
    expect(await opened.actuator.delete(target)).toEqual({
      kind: 'retry',
      afterSeconds: 6,
      message: 'server local:///u-1 is stopping',
    });
    await opened.pass(6);
    expect(await opened.actuator.delete(target)).toEqual({ kind: 'accepted' });
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'absent' });
  });

  test('Machines are told apart by UID: a namesake has no server', async () => {
    const first = targetOf(anOpenShiftMachine({ uid: 'u-1' }));
    const namesake = targetOf(anOpenShiftMachine({ uid: 'u-2' }));
    await opened.actuator.create(first);
    expect(await opened.actuator.exists(namesake)).toEqual({ kind: 'absent' });
    await opened.actuator.delete(namesake);
    await opened.pass(10);
    expect(await opened.actuator.exists(first)).toEqual({ kind: 'exists' });
  });

  test.each(machineErrorReasons)('a failure with the reason %s is an answer', async (reason) => {
    expect(await opened.actuator.delete(failing(`delete=${reason}`))).toEqual({
      kind: 'failed',
      reason,
      message: 'delete fails, as the Machine asks for',
    });
  });

  test('a failure may have no reason', async () => {
    expect(await opened.actuator.create(failing('create=failed'))).toEqual({
      kind: 'failed',
      reason: undefined,
      message: 'create fails, as the Machine asks for',
    });
  });

  test.each(['exists', 'create', 'update', 'delete'] as const)(
    '%s may be put off, which is no error',
    async (operation) => {
      expect(await opened.actuator[operation](failing(`${operation}=retry/2.5`))).toEqual({
        kind: 'retry',
        afterSeconds: 2.5,
        message: `${operation} fails, as the Machine asks for`,
      });
    },
  );

  test.each(['exists', 'create', 'update', 'delete'] as const)(
    'nothing is known when %s breaks down',
    async (operation) => {
      await expect(opened.actuator[operation](failing(`${operation}=500`))).rejects.toBeInstanceOf(
        Unavailable,
      );
    },
  );

  test('a configuration that cannot be used is refused with its reason', async () => {
    const target = targetOf(anOpenShiftMachine({ spec: { providerSpec: { value: 'large' } } }));
    expect(await opened.actuator.create(target)).toEqual({
      kind: 'failed',
      reason: 'InvalidConfiguration',
      message: 'spec.providerSpec.value: must be an object, not "large"',
    });
    expect(await opened.actuator.exists(target)).toEqual({ kind: 'absent' });
  });
});
