import { describe, expect, test, vi } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aDeletionHook } from '../../builders/asked.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOutside, parsed } from './outside.ts';

// Which functions a Machine has before it, and which DeletionHooks ask nothing for it: plan and explain tell the same.

const inFleet = (name: string, spec: object = {}): KubeObject => {
  const hook = aDeletionHook(name, spec);
  return { ...hook, metadata: { ...hook.metadata, namespace: 'fleet' } };
};

const living = aMachine('a');
const deleted = aMachine('a', { metadata: { deletionTimestamp: '2026-11-27T11:20:00Z' } });
const hooked = aMachine('a', {
  metadata: {
    deletionTimestamp: '2026-11-27T11:20:00Z',
    annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': 'phaseout.dev' },
  },
});
const carriedOn = "the API's own controller carries its deletion on, and waits for no function";
const original = aRawOriginal({ metadata: { name: 'a', namespace: 'fleet' } });

/** What both commands say of DeletionHooks, line by line. */
async function toldOf(machine: object, ...hooks: KubeObject[]) {
  const { outside, written, folder } = await anOutside();
  const dump = await aDump(folder, [machine, anAwsMachine('a'), aNode('a'), ...hooks]);
  const say = async (command: string): Promise<string[]> => {
    written.stdout = '';
    await main([command, 'fleet/a', '--load', dump], outside);
    const lines = written.stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' '));
    return lines.filter((line) => /DeletionHook |move-data|wipe/.test(line));
  };
  return { plan: await say('plan'), explain: await say('explain') };
}

/** What a list says of DeletionHooks that ask nothing. */
async function saidBy(command: 'status' | 'hooks', machines: object[], ...hooks: KubeObject[]) {
  const { outside, written, folder } = await anOutside();
  const dump = await aDump(folder, [...machines, anAwsMachine('a'), aNode('a'), ...hooks]);
  await main([command, '--load', dump], outside);
  const lines = written.stdout.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith('DeletionHook fleet/'));
  if (at === -1) return undefined;
  return command === 'status' ? lines[at] : `${lines[at]}: ${lines[at + 1]}`;
}

describe.each(['status', 'hooks'] as const)('phaseout %s', (command) => {
  test.each<[machine: string, raw: object, why: string]>([
    ["that the API's own controller deletes", deleted, carriedOn],
    ['of v1alpha1', original, 'Machines of v1alpha1 have no hooks'],
  ])('says of a Machine %s that a DeletionHook asks nothing', async (_machine, raw, why) => {
    expect(await saidBy(command, [raw], inFleet('move-data'))).toBe(
      `DeletionHook fleet/move-data: nothing is asked for a: ${why}`,
    );
  });

  test('names three Machines, and how many more there are', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const machines = names.map((name) => aRawOriginal({ metadata: { name, namespace: 'fleet', uid: name } }));
    expect(await saidBy(command, machines, inFleet('move-data'))).toBe(
      'DeletionHook fleet/move-data: nothing is asked for a, b, c, ... (2 more): Machines of v1alpha1 have no hooks',
    );
  });

  test('says nothing where a DeletionHook is for others, of others, or asks', async () => {
    const machines = [{ selector: { matchLabels: { pool: 'storage' } } }];
    const hooks = [
      inFleet('move-data', { machines }),
      inFleet('etcd', { setBy: 'Others', hook: 'etcd' }),
      { ...inFleet('elsewhere'), metadata: { name: 'elsewhere', namespace: 'other', uid: 'elsewhere' } },
    ];
    expect(await saidBy(command, [deleted], ...hooks)).toBeUndefined();
    expect(await saidBy(command, [living], inFleet('move-data'))).toBeUndefined();
  });
});

describe('phaseout status', () => {
  const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';
  const lastTransitionTime = '2026-11-27T11:20:00Z';
  const reason = 'WaitingForPreDrainHook';
  const waits = [{ type: 'Deleting', status: 'True', reason, message: '', lastTransitionTime }];
  const metadata = {
    deletionTimestamp: '2026-11-27T11:20:00Z',
    annotations: { [hook]: 'traffic-operator' },
  };
  const held = { ...aMachine('a', { metadata }), status: { nodeRef: { name: 'a' }, conditions: waits } };
  const describing = {
    setBy: 'Others',
    hook: 'move-traffic',
    contact: '#net',
    runbook: 'https://net.example',
  };

  async function toAct(...hooks: KubeObject[]) {
    const { outside, written, folder } = await anOutside();
    const dump = await aDump(folder, [held, anAwsMachine('a'), aNode('a'), ...hooks]);
    await main(['status', '--load', dump, '-o', 'json'], outside);
    expect(written.stderr).toBe('');
    const { machines } = parsed<{ machines: DeletionStatus[] }>(written.stdout);
    written.stdout = '';
    await main(['status', '--load', dump], outside);
    return { acts: machines[0]?.acts, text: written.stdout };
  }

  test('says who helps with a hook of others that holds a Machine', async () => {
    const { acts, text } = await toAct(inFleet('traffic', describing));
    expect(acts).toEqual({
      who: 'hook-owner',
      name: 'traffic-operator (move-traffic)',
      help: ['contact #net', 'https://net.example'],
    });
    expect(text).toContain('traffic-operator (move-traffic) (contact #net; https://net.example)');
  });

  test.each<[what: string, spec: object]>([
    ['of another place', { ...describing, at: 'PreTerminate' }],
    ['of another name', { ...describing, hook: 'move' }],
    ['for other Machines', { ...describing, machines: [{ selector: { matchLabels: { pool: 'storage' } } }] }],
  ])('says nothing of a DeletionHook %s', async (_what, spec) => {
    const { acts } = await toAct(inFleet('traffic', spec));
    expect(acts).toEqual({ who: 'hook-owner', name: 'traffic-operator (move-traffic)' });
  });

  test('says it while it watches, too', async () => {
    const { outside, written, folder, interrupt } = await anOutside();
    const hooks = [inFleet('traffic', describing), inFleet('wipe')];
    const dump = await aDump(folder, [held, anAwsMachine('a'), aNode('a'), ...hooks]);
    const watching = main(['status', '--watch', '--load', dump], outside);
    await vi.waitFor(() => expect(written.stdout).toContain('1 Machine is being deleted'), 30_000);
    interrupt();
    expect(await watching).toBe(0);
    expect(written.stdout).toContain('(contact #net; https://net.example)');
    expect(written.stdout).toContain(`DeletionHook fleet/wipe: nothing is asked for a: ${carriedOn}`);
  });
});

describe('plan and explain', () => {
  test('say of a living Machine whom a deletion would ask, where, and who can help', async () => {
    const hooks = [
      inFleet('move-data', { contact: '#storage', timeout: '2h', onTimeout: 'Proceed' }),
      inFleet('wipe', { at: 'PreTerminate', runbook: 'https://runbooks.example/wipe' }),
    ];
    expect(await toldOf(living, ...hooks)).toEqual({
      plan: [
        'pre-drain blocks Waiting for DeletionHook move-data: no answer yet',
        'pre-terminate blocks Waiting for DeletionHook wipe: no answer yet',
        'PreDrain move-data #storage goes on after 7200 s',
        'PreTerminate wipe https://runbooks.example/wipe waits for Done',
      ],
      explain: [
        'DeletionHook wipe asks its function at PreTerminate',
        'owner: the function of DeletionHook wipe',
        'https://runbooks.example/wipe',
        'DeletionHook move-data asks its function at PreDrain',
      ],
    });
  });

  test.each<[machine: string, raw: object, why: string]>([
    ["that the API's own controller deletes", deleted, carriedOn],
    ['of v1alpha1', original, 'Machines of v1alpha1 have no hooks'],
  ])('say of a Machine %s that nothing is asked', async (_machine, raw, why) => {
    const said = [
      `DeletionHook move-data asks nothing at PreDrain: ${why}`,
      `DeletionHook wipe asks nothing at PreTerminate: ${why}`,
    ];
    const hooks = [inFleet('move-data'), inFleet('wipe', { at: 'PreTerminate' })];
    expect(await toldOf(raw, ...hooks)).toEqual({ plan: said, explain: said });
  });

  test('say that nothing is asked before the server goes, where no hook of ours holds that', async () => {
    const said =
      'DeletionHook wipe asks nothing at PreTerminate: the hook pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout is not on it';
    expect(await toldOf(hooked, inFleet('wipe', { at: 'PreTerminate' }))).toEqual({
      plan: [said],
      explain: [said],
    });
  });

  test('say that a Machine waits where it is unclear which DeletionHook is for it', async () => {
    const machines = [{ selector: { matchExpressions: [{ key: 'pool', operator: 'Is' }] } }];
    const why =
      'invalid selectors in DeletionHook move-data: spec.machines[0].selector: Invalid value: {"matchExpressions":[{"key":"pool","operator":"Is"}]}: "Is" is not a valid label selector operator';
    const { plan, explain } = await toldOf(living, inFleet('move-data', { machines }));
    expect(plan).toEqual([`pre-drain blocks ${why}`, `PreDrain unknown - ${why}`]);
    expect(explain).toEqual([`it waits: ${why}`]);
  });

  test('say nothing of a DeletionHook that is for other Machines', async () => {
    const machines = [{ selector: { matchLabels: { pool: 'storage' } } }];
    expect(await toldOf(living, inFleet('move-data', { machines }))).toEqual({ plan: [], explain: [] });
  });

  test('say who can help with a hook of others that is on the Machine', async () => {
    const etcd = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/etcd';
    const machine = aMachine('a', { metadata: { annotations: { [etcd]: 'etcd-operator' } } });
    const { outside, written, folder } = await anOutside();
    const spec = { setBy: 'Others', hook: 'etcd', at: 'PreTerminate', silentAfter: '30m' };
    const help = { contact: '#etcd-oncall', runbook: 'https://runbooks.example/etcd' };
    const dump = await aDump(folder, [
      machine,
      anAwsMachine('a'),
      aNode('a'),
      inFleet('etcd', { ...spec, ...help }),
    ]);
    await main(['explain', 'fleet/a', '--load', dump, '-o', 'json'], outside);
    const { causes } = parsed<Explanation>(written.stdout);
    expect(causes.find(({ hook }) => hook === etcd)?.details).toEqual([
      'contact #etcd-oncall',
      'https://runbooks.example/etcd',
      'its owner counts as silent after 30 min without an Event on the Machine',
      `annotation ${etcd}`,
    ]);
    written.stdout = '';
    await main(['plan', 'fleet/a', '--load', dump], outside);
    expect(written.stdout).toContain(
      `${etcd}  etcd-operator, contact #etcd-oncall, https://runbooks.example/etcd`,
    );
  });

  test('say nothing of a hook of others', async () => {
    const others = inFleet('etcd', { setBy: 'Others', hook: 'etcd' });
    expect(await toldOf(living, others)).toEqual({ plan: [], explain: [] });
  });
});
