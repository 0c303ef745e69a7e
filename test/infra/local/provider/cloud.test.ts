import { describe, expect, test } from 'vitest';
import { createCloud, type Server } from '../../../../infra/local/provider/cloud.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { anOpenShiftMachine, aV1alpha1Machine, targetOf } from '../../../builders/provider-machines.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

function aCloud(random = 0.5) {
  const clock = manualClock();
  const settings = { createSeconds: 4, deleteSeconds: 6, hangSeconds: 30 };
  const cloud = createCloud({ clock, random: () => random, settings });
  const seen: string[] = [];
  cloud.onChange(({ machine, state }, isGone) => seen.push(`${machine.name} ${isGone ? 'gone' : state}`));
  return { cloud, clock, seen, pass: (seconds: number) => clock.advance(seconds * 1000) };
}

const asking = (annotations: Record<string, string>) => targetOf(anOpenShiftMachine({ annotations }));
const failing = (failures: string) => asking({ 'local.phaseout.dev/provider-fails': failures });

describe('a server', () => {
  test('comes and goes, and who listens is told', async () => {
    const { cloud, seen, pass } = aCloud();
    const target = targetOf(anOpenShiftMachine({ uid: 'u-1' }));
    await cloud.create(target);
    await pass(4);
    await cloud.delete(target);
    await cloud.delete(target);
    await pass(6);
    expect(seen).toEqual(['worker-1 creating', 'worker-1 running', 'worker-1 stopping', 'worker-1 gone']);
    expect(cloud.servers()).toEqual([]);
  });

  test('is shown with its Machine', async () => {
    const { cloud } = aCloud();
    await cloud.create(targetOf(anOpenShiftMachine({ uid: 'u-1' })));
    expect(cloud.servers()).toEqual<Server[]>([
      {
        providerId: 'local:///u-1',
        machine: {
          apiVersion: 'machine.openshift.io/v1beta1',
          namespace: 'openshift-machine-api',
          name: 'worker-1',
          uid: 'u-1',
        },
        state: 'creating',
      },
    ]);
  });

  test('that is told to stop while it starts never runs', async () => {
    const { cloud, seen, pass } = aCloud();
    const target = targetOf(anOpenShiftMachine());
    await cloud.create(target);
    await pass(3);
    await cloud.delete(target);
    await pass(6);
    expect(seen).toEqual(['worker-1 creating', 'worker-1 stopping', 'worker-1 gone']);
  });

  test.each([
    [0, 3],
    [0.5, 6],
    [0.999, 9],
  ])('takes longer or shorter to stop by chance: %f', async (random, seconds) => {
    const { cloud, pass } = aCloud(random);
    const target = targetOf(anOpenShiftMachine());
    cloud.adopt(target.machine);
    await cloud.delete(target);
    await pass(seconds - 0.1);
    expect(cloud.servers()).toHaveLength(1);
    await pass(0.1);
    expect(cloud.servers()).toEqual([]);
  });

  test('is the one there is when it is asked for again', async () => {
    const { cloud, seen, pass } = aCloud();
    const target = targetOf(anOpenShiftMachine());
    await cloud.create(target);
    await pass(4);
    const running = await cloud.update(target);
    expect(running).toMatchObject({ report: { providerStatus: { instanceState: 'running' } } });
    expect(await cloud.create(target)).toEqual(running);
    expect(seen).toEqual(['worker-1 creating', 'worker-1 running']);
  });

  test('is not made by an update', async () => {
    const { cloud } = aCloud();
    expect(await cloud.update(targetOf(anOpenShiftMachine()))).toMatchObject({
      kind: 'failed',
      reason: 'UpdateError',
    });
    expect(cloud.servers()).toEqual([]);
  });

  test.each<[value: unknown, kind: string]>([
    [{}, 'done'],
    [undefined, 'done'],
    [null, 'done'],
    [[], 'failed'],
    ['large', 'failed'],
  ])('is made of the configuration %j or not: %s', async (value, kind) => {
    const { cloud } = aCloud();
    expect(
      await cloud.create(targetOf(anOpenShiftMachine({ spec: { providerSpec: { value } } }))),
    ).toMatchObject(kind === 'done' ? { kind } : { kind, reason: 'InvalidConfiguration' });
  });

  test('that stops is not taken over once more', async () => {
    const { cloud, seen } = aCloud();
    const target = targetOf(anOpenShiftMachine());
    cloud.adopt(target.machine);
    await cloud.delete(target);
    cloud.adopt(target.machine);
    expect(seen).toEqual(['worker-1 running', 'worker-1 stopping']);
  });

  test('that its Machine names by an empty text is named anew', () => {
    const { cloud } = aCloud();
    cloud.adopt(anOpenShiftMachine({ uid: 'u-1', spec: { providerID: '' } }));
    expect(cloud.servers()).toMatchObject([{ providerId: 'local:///u-1' }]);
  });

  test('cannot be made again while it stops', async () => {
    const { cloud } = aCloud();
    const target = targetOf(anOpenShiftMachine({ uid: 'u-1' }));
    cloud.adopt(target.machine);
    await cloud.delete(target);
    expect(await cloud.create(target)).toEqual({
      kind: 'retry',
      afterSeconds: 6,
      message: 'server local:///u-1 is stopping',
    });
  });

  test('stops in the time its Machine asks for', async () => {
    const { cloud, pass } = aCloud();
    const target = asking({ 'local.phaseout.dev/stop-seconds': '60' });
    cloud.adopt(target.machine);
    await cloud.delete(target);
    await pass(59.9);
    expect(cloud.servers()).toHaveLength(1);
    await pass(0.1);
    expect(cloud.servers()).toEqual([]);
  });

  test('stops where its Machine asks for no more than that it may', async () => {
    const { cloud, pass } = aCloud();
    const target = asking({ 'local.phaseout.dev/never-stops': 'false' });
    cloud.adopt(target.machine);
    await cloud.delete(target);
    await pass(6);
    expect(cloud.servers()).toEqual([]);
  });

  test('never stops while its Machine asks for that', async () => {
    const { cloud, pass } = aCloud();
    const target = targetOf(
      aV1alpha1Machine({ uid: 'u-1', annotations: { 'local.phaseout.dev/never-stops': 'true' } }),
    );
    cloud.adopt(target.machine);
    await cloud.delete(target);
    await pass(10_000);
    expect(await cloud.delete(target)).toMatchObject({ kind: 'retry', afterSeconds: 5 });
    await cloud.delete(targetOf(aV1alpha1Machine({ uid: 'u-1' })));
    await pass(6);
    expect(cloud.servers()).toEqual([]);
  });

  test('that was there before runs, under the identity its Machine has', async () => {
    const { cloud } = aCloud();
    const machine = anOpenShiftMachine({ spec: { providerID: 'aws:///eu-1/i-7' } });
    cloud.adopt(machine);
    cloud.adopt(machine);
    expect(cloud.servers()).toMatchObject([{ providerId: 'aws:///eu-1/i-7', state: 'running' }]);
    expect(await cloud.exists(targetOf(machine))).toEqual({ kind: 'exists' });
  });

  test('cannot be told of without a UID', async () => {
    const { cloud } = aCloud();
    await expect(cloud.exists(targetOf(anOpenShiftMachine({ uid: '' })))).rejects.toThrow(
      new Unavailable('Machine openshift-machine-api/worker-1 has no metadata.uid'),
    );
  });
});

describe('failures on request', () => {
  test('come as often as they are asked for, one after the other', async () => {
    const { cloud } = aCloud();
    const target = failing('delete=InvalidConfiguration:2, delete=retry/2:1');
    const kinds = [];
    for (let n = 0; n < 5; n += 1) kinds.push((await cloud.delete(target)).kind);
    expect(kinds).toEqual(['failed', 'failed', 'retry', 'accepted', 'accepted']);
  });

  test('come every time where no number is given', async () => {
    const { cloud } = aCloud();
    const target = failing('delete=failed');
    for (let n = 0; n < 5; n += 1) expect(await cloud.delete(target)).toMatchObject({ kind: 'failed' });
  });

  test('concern the operation they name, and count for each Machine', async () => {
    const { cloud } = aCloud();
    const [one, other] = [failing('delete=failed:1'), failing('delete=failed:1')];
    expect(await cloud.exists(one)).toEqual({ kind: 'absent' });
    expect(await cloud.delete(one)).toMatchObject({ kind: 'failed' });
    expect(await cloud.delete(other)).toMatchObject({ kind: 'failed' });
    expect(await cloud.delete(one)).toEqual({ kind: 'accepted' });
  });

  test.each([
    ['delete', '"delete" is not operation=failure or operation=failure:times'],
    ['remove=failed', '"remove" is none of exists, create, update, delete'],
    [
      'delete=sometimes',
      '"sometimes" is none of InvalidConfiguration, UnsupportedChange, InsufficientResources, CreateError, UpdateError, DeleteError, failed, retry/SECONDS, hang, 500',
    ],
  ])('that cannot be read are said so: %s', async (text, why) => {
    expect(await aCloud().cloud.delete(failing(text))).toEqual({
      kind: 'failed',
      reason: 'InvalidConfiguration',
      message: `local.phaseout.dev/provider-fails: ${why}`,
    });
  });

  test('a call that hangs is given up at last', async () => {
    const { cloud, pass } = aCloud();
    let why: unknown;
    const call = cloud.delete(failing('delete=hang')).catch((error: unknown) => (why = error));
    await pass(29);
    expect(why).toBeUndefined();
    await pass(1);
    await call;
    expect(why).toEqual(new Unavailable('delete hung, as the Machine asks for'));
  });
});

test('a cloud that is closed changes no more and lets go of calls that hang', async () => {
  const { cloud, seen, pass } = aCloud();
  await cloud.create(targetOf(anOpenShiftMachine()));
  const call = cloud.delete(failing('delete=hang')).catch(String);
  await pass(1);
  cloud.close();
  expect(await call).toBe('Unavailable: delete hung, as the Machine asks for');
  await pass(1_000);
  expect(seen).toEqual(['worker-1 creating']);
  expect(cloud.servers()).toMatchObject([{ state: 'creating' }]);
});

test('a server that is asked for after that never runs', async () => {
  const { cloud, seen, pass } = aCloud();
  cloud.close();
  await cloud.create(targetOf(anOpenShiftMachine()));
  await pass(1_000);
  expect(seen).toEqual([]);
  expect(cloud.servers()).toMatchObject([{ state: 'creating' }]);
});
