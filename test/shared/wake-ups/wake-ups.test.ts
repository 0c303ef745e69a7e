import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import type { WaitsFor } from '../../../shared/phase/decision.ts';
import { noWakeUps, type WakeUpOptions, WatchingWakeUps } from '../../../shared/wake-ups/wake-ups.ts';
import { countedMetrics } from '../../builders/observed.ts';
import { pod } from '../../builders/pods.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { serverGone, watchedApi } from '../reconcile/watches.ts';

const workload = { kind: 'cluster', namespace: 'default', clusterName: 'c' } as const;
const podsGone: WaitsFor = { kind: 'pods-gone', nodeName: 'node-1', uids: ['ns/a'], resourceVersion: '900' };
const nodeGone: WaitsFor = { ...serverGone, side: 'workload', key: { name: 'node-1' } };

const advanceOf = (uid: string): Advance => ({
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: `of-${uid}`, name: 'm', uid },
  phase: 'drain',
  seq: 1,
});

function given(options: Partial<WakeUpOptions> = {}) {
  const clock = manualClock();
  const management = watchedApi();
  const workloads = watchedApi();
  const woken: string[] = [];
  const said: string[] = [];
  const wakeUps = new WatchingWakeUps({
    management: management.api,
    workloads: { of: async () => workloads.api },
    clock,
    log: { debug: (message) => said.push(message) },
    wake: (advance) => woken.push(advance.machine.uid),
    maxMachines: 3,
    lifetimeSeconds: 600,
    ...options,
  });
  const keep = async (uid: string, until: WaitsFor[], where: typeof workload | undefined = workload) => {
    wakeUps.keep(advanceOf(uid), until, where);
    await clock.advance(0);
  };
  return { clock, management, workloads, woken, said, wakeUps, keep };
}

describe('a Machine is woken', () => {
  test('when what it waits for has happened, with the command it waited with', async () => {
    const commands: Advance[] = [];
    const { workloads, keep, wakeUps } = given({ wake: (command) => commands.push(command) });
    await keep('m-1', [podsGone]);
    workloads.watches[0]!.change('DELETED', pod('ns/a'));
    expect(commands).toEqual([advanceOf('m-1')]);
    expect(wakeUps.count).toBe(0);
  });

  test('by the first of several endings, and only once', async () => {
    const { clock, management, workloads, woken, keep } = given();
    await keep('m-1', [podsGone, serverGone, { kind: 'time', at: clock.now() + 5_000 }]);
    workloads.watches[0]!.change('DELETED', pod('ns/a'));
    management.watches[0]!.change('DELETED', { metadata: { name: 'm-1', uid: 'server-uid' } });
    workloads.watches[0]!.change('DELETED', pod('ns/a'));
    await clock.advance(10_000);
    expect(woken).toEqual(['m-1']);
    expect(management.watches[0]!.isStopped).toBe(true);
  });

  test('when a time has come', async () => {
    const { clock, woken, keep } = given();
    await keep('m-1', [{ kind: 'time', at: clock.now() + 200 }]);
    await clock.advance(199);
    expect(woken).toEqual([]);
    await clock.advance(1);
    expect(woken).toEqual(['m-1']);
  });

  test('at once when that time has passed', async () => {
    const { clock, woken, keep } = given();
    await keep('m-1', [{ kind: 'time', at: clock.now() - 1 }]);
    expect(woken).toEqual(['m-1']);
  });

  test('when changes were missed', async () => {
    const { workloads, woken, keep } = given();
    await keep('m-1', [podsGone]);
    workloads.watches[0]!.end(true);
    expect(woken).toEqual(['m-1']);
  });
});

test('wake-ups are counted: those that are kept, those that came, and how late', async () => {
  const { metrics, counted } = countedMetrics();
  const { clock, workloads, wakeUps, keep } = given({ metrics });
  await keep('m-1', [podsGone]);
  await keep('m-2', [{ kind: 'time', at: clock.now() - 250 }]);
  workloads.watches[0]!.change('DELETED', pod('ns/a'));
  await keep('m-3', [podsGone]);
  wakeUps.drop('m-3');
  expect(counted).toEqual([
    'wakeUpsKept 1',
    'wakeUpsKept 2',
    'dueLag by=wake-up 0.25',
    'wakeUpsKept 1',
    'wakeUps',
    'wakeUpsKept 0',
    'wakeUps',
    'wakeUpsKept 1',
    'wakeUpsKept 0',
  ]);
});

describe('what is watched', () => {
  test('lies in the cluster of the Machine or in that of its Node', async () => {
    const { management, workloads, keep } = given();
    await keep('m-1', [serverGone]);
    await keep('m-2', [nodeGone, podsGone]);
    expect(management.watches.map(({ resource }) => resource.plural)).toEqual(['servers']);
    expect(workloads.watches.map(({ resource }) => resource.plural)).toEqual(['servers', 'pods']);
  });

  test('of a Machine without a Cluster is nothing in a workload cluster', async () => {
    const { clock, workloads, wakeUps, said } = given();
    wakeUps.keep(advanceOf('m-1'), [podsGone], undefined);
    await clock.advance(0);
    expect([workloads.watches, said]).toEqual([[], []]);
  });

  test("is nothing for hooks and pauses: they are the Machine's own changes and come as events", async () => {
    const { management, workloads, woken, said, keep } = given();
    await keep('m-1', [{ kind: 'hook-removed' }, { kind: 'unpaused' }]);
    expect([management.watches, workloads.watches, woken, said]).toEqual([[], [], [], []]);
  });

  test('is nothing in a workload cluster that cannot be reached', async () => {
    const { said, woken, keep } = given({
      workloads: {
        of: async () => {
          throw new Unavailable('no kubeconfig');
        },
      },
    });
    await keep('m-1', [podsGone]);
    expect(said).toEqual(['Wake-up not kept']);
    expect(woken).toEqual([]);
  });
});

describe('a later wait of the same Machine', () => {
  test('takes the place of the earlier one', async () => {
    const { workloads, management, woken, keep, wakeUps } = given();
    await keep('m-1', [podsGone]);
    await keep('m-1', [serverGone]);
    expect(wakeUps.count).toBe(1);
    expect(workloads.watches[0]!.isStopped).toBe(true);
    workloads.watches[0]!.change('DELETED', pod('ns/a'));
    expect(woken).toEqual([]);
    management.watches[0]!.change('DELETED', { metadata: { name: 'm-1', uid: 'server-uid' } });
    expect(woken).toEqual(['m-1']);
  });

  test('without an ending only drops the earlier one', async () => {
    const { workloads, keep, wakeUps } = given();
    await keep('m-1', [podsGone]);
    await keep('m-1', []);
    expect(wakeUps.count).toBe(0);
    expect(workloads.watches[0]!.isStopped).toBe(true);
  });
});

describe('wake-ups end', () => {
  test('after their lifetime, without waking', async () => {
    const { clock, workloads, woken, keep, wakeUps } = given({ lifetimeSeconds: 60 });
    await keep('m-1', [podsGone]);
    await clock.advance(59_999);
    expect(wakeUps.count).toBe(1);
    await clock.advance(1);
    expect(wakeUps.count).toBe(0);
    expect(workloads.watches[0]!.isStopped).toBe(true);
    expect(woken).toEqual([]);
  });

  test('when dropped, and other Machines keep theirs', async () => {
    const { workloads, woken, keep, wakeUps } = given();
    await keep('m-1', [podsGone]);
    await keep('m-2', [podsGone]);
    wakeUps.drop('m-1');
    wakeUps.drop('never kept');
    workloads.watches[0]!.change('DELETED', pod('ns/a'));
    workloads.watches[1]!.change('DELETED', pod('ns/a'));
    expect(woken).toEqual(['m-2']);
  });

  test('when the instance goes, for good', async () => {
    const { clock, workloads, woken, keep, wakeUps } = given();
    await keep('m-1', [podsGone]);
    await keep('m-2', [{ kind: 'time', at: clock.now() + 10 }]);
    wakeUps.close();
    await keep('m-3', [podsGone]);
    await clock.advance(1_000);
    expect(wakeUps.count).toBe(0);
    expect(workloads.watches.map(({ isStopped }) => isStopped)).toEqual([true]);
    expect(woken).toEqual([]);
  });

  test('before the workload cluster answered: then nothing is watched at all', async () => {
    const { clock, workloads, wakeUps } = given();
    wakeUps.keep(advanceOf('m-1'), [podsGone], workload);
    wakeUps.drop('m-1');
    await clock.advance(0);
    expect(workloads.watches).toEqual([]);
  });
});

test('more Machines than the most are left to the sweep, those that are kept stay', async () => {
  const { workloads, keep, wakeUps } = given({ maxMachines: 2 });
  for (const uid of ['m-1', 'm-2', 'm-3']) await keep(uid, [podsGone]);
  expect(wakeUps.count).toBe(2);
  expect(workloads.watches).toHaveLength(2);
  await keep('m-2', [podsGone]);
  expect(wakeUps.count).toBe(2);
});

describe('where there are as many as may be', () => {
  const { clock: began } = given();
  const endsAfter = (seconds: number): WaitsFor => ({ kind: 'time', at: began.now() + 1_000 * seconds });
  const hook = (seconds: number): WaitsFor[] => [{ kind: 'hook-removed' }, endsAfter(seconds)];
  const paused = (seconds: number): WaitsFor[] => [{ kind: 'unpaused' }, endsAfter(seconds)];

  const rows: [name: string, kept: WaitsFor[][], then: WaitsFor[], woken: string[]][] = [
    ['who watches takes the place of a hook', [[podsGone], hook(60)], [podsGone, endsAfter(70)], []],
    ['who watches takes the place of a pause', [paused(60), [podsGone]], [podsGone, endsAfter(70)], []],
    ['the longest to go gives way', [hook(50), hook(60)], [podsGone, endsAfter(70)], ['m-1']],
    ['wherever it stands', [hook(60), hook(50)], [podsGone, endsAfter(70)], ['m-2']],
    ['a shorter time takes the place of a longer', [[podsGone], hook(60)], [endsAfter(7)], ['m-3']],
    ['the same time takes no place', [[podsGone], hook(60)], hook(60), ['m-2']],
    ['a longer time takes no place', [[podsGone], hook(60)], hook(61), ['m-2']],
    ['no hook takes the place of who watches', [[podsGone], [podsGone]], hook(1), []],
    ['who watches takes the place of no other', [[podsGone, endsAfter(60)], [podsGone]], [podsGone], ['m-1']],
  ];
  test.each(rows)('%s', async (_, [first = [], second = []], then, expected) => {
    const { clock, keep, wakeUps, woken } = given({ maxMachines: 2 });
    await keep('m-1', first);
    await keep('m-2', second);
    await keep('m-3', then);
    expect(wakeUps.count).toBe(2);
    await clock.advance(61_000);
    expect(woken).toEqual(expected);
  });

  test('whose place was taken does not wake, and may have it again', async () => {
    const { clock, workloads, keep, wakeUps, woken } = given({ maxMachines: 1 });
    await keep('m-1', [{ kind: 'hook-removed' }, { kind: 'time', at: clock.now() + 1_000 }]);
    await keep('m-2', [podsGone]);
    await clock.advance(2_000);
    expect([wakeUps.count, woken]).toEqual([1, []]);
    workloads.watches[0]!.change('DELETED', pod('ns/a'));
    await keep('m-1', [{ kind: 'time', at: clock.now() + 1_000 }]);
    await clock.advance(1_000);
    expect(woken).toEqual(['m-2', 'm-1']);
  });

  test('where none may be kept, nothing is', async () => {
    const { keep, wakeUps } = given({ maxMachines: 0 });
    await keep('m-1', [podsGone]);
    expect(wakeUps.count).toBe(0);
  });
});

test('an instance without wake-ups keeps and drops nothing', () => {
  expect(noWakeUps.keep(advanceOf('m-1'), [podsGone], workload)).toBeUndefined();
  expect(noWakeUps.drop('m-1')).toBeUndefined();
});
