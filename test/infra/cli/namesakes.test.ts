import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { HookReport } from '../../../shared/explain/hooks/hook-report.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { anOutside, parsed } from './outside.ts';
import { reading } from './page-reader.ts';

// Two Machine APIs have a Machine fleet/a. Both are being deleted, and each has a hook of its own.

const deletionTimestamp = '2026-01-02T00:00:00Z';
const capiHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';

const ofCapi = {
  ...aMachine('a', { metadata: { deletionTimestamp, annotations: { [capiHook]: 'balancer' } } }),
  status: {
    nodeRef: { name: 'a' },
    conditions: [
      {
        type: 'Deleting',
        status: 'True',
        reason: 'WaitingForPreDrainHook',
        message: 'Waiting for pre-drain hooks to succeed',
        lastTransitionTime: deletionTimestamp,
      },
    ],
  },
};
const ofOpenShift = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: 'a',
    namespace: 'fleet',
    uid: 'openshift-a',
    labels: { 'machine.openshift.io/cluster-api-cluster': 'blue' },
    finalizers: ['machine.machine.openshift.io'],
    deletionTimestamp,
  },
  spec: {
    providerID: 'aws:///z/i-b',
    providerSpec: { value: { instanceType: 'm5' } },
    lifecycleHooks: { preDrain: [{ name: 'Migrate', owner: 'mover' }] },
  },
  status: { phase: 'Deleting', nodeRef: { kind: 'Node', name: 'b', uid: 'node-b' } },
};
const both = [ofCapi, anAwsMachine('a'), aNode('a'), ofOpenShift, aNode('b')];

async function told(...args: string[]) {
  const { outside, written, folder } = await anOutside();
  const code = await main([...args, '--load', await aDump(folder, both)], outside);
  return { code, ...written, lines: written.stdout.trimEnd().split('\n') };
}

const apis = [
  ['capi', 'cluster.x-k8s.io/v1beta2', 'machine-a', 'move-traffic'],
  ['openshift', 'machine.openshift.io/v1beta1', 'openshift-a', 'Migrate'],
] as const;

describe('a name that Machines of two APIs have', () => {
  it.each([
    ['plan', ['fleet/a']],
    ['explain', ['fleet/a']],
    ['run', ['--delete', 'fleet/a']],
  ])('is not guessed by %s', async (command, args) => {
    const { code, stderr } = await told(command, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Machine fleet/a is in several Machine APIs; say which: capi:fleet/a or openshift:fleet/a\n',
    );
  });

  it.each(apis)('is explained for %s alone', async (api, apiVersion, uid, hook) => {
    const { stdout } = await told('explain', `${api}:fleet/a`, '-o', 'json');
    const { machine, causes } = parsed<Explanation>(stdout);
    expect(machine).toMatchObject({ apiVersion, uid });
    expect(causes.map(({ what }) => what).join()).toContain(hook);
    expect((await told('explain', `${api}:fleet/a`)).lines[0]).toBe(`Machine ${api}:fleet/a is held`);
  });

  it.each(apis)('is planned for %s alone', async (api, apiVersion, uid) => {
    const { stdout } = await told('plan', `${api}:fleet/a`, '-o', 'json');
    expect(parsed<Explanation>(stdout).machine).toMatchObject({ apiVersion, uid });
  });

  it('stands twice in status, as it has to be typed', async () => {
    const { lines } = await told('status');
    const rows = lines.filter((line) => !line.startsWith('Go on with'));
    const names = rows.flatMap((line) => /\b(?:capi|openshift):fleet\/a\b/.exec(line)?.[0] ?? []);
    expect(names.toSorted()).toEqual(['capi:fleet/a', 'openshift:fleet/a']);
    const { machines } = parsed<{ machines: DeletionStatus[] }>((await told('status', '-o', 'json')).stdout);
    expect(machines.map(({ machine, acts }) => `${machine.uid} ${acts.name}`).toSorted()).toEqual([
      'machine-a balancer (move-traffic)',
      'openshift-a mover (Migrate)',
    ]);
  });

  it('has the hooks of each in hooks', async () => {
    const { lines } = await told('hooks');
    const rows = lines
      .map((line) => line.trim().split(/ {2,}/))
      .filter(([name]) => name?.endsWith(':fleet/a'));
    expect(rows.map(([name, , hook, owner]) => `${name} ${hook} ${owner}`).toSorted()).toEqual([
      'capi:fleet/a move-traffic balancer',
      'openshift:fleet/a Migrate mover',
    ]);
    const { rows: json } = parsed<HookReport>((await told('hooks', '-o', 'json')).stdout);
    expect(json.map(({ machine }) => machine.uid).toSorted()).toEqual(['machine-a', 'openshift-a']);
  });
});

interface Machine {
  api: string;
  name: string;
  deleting: { standing: DeletionStatus };
  explanation: Explanation;
}

it('two Machines of one name have a row and a view each on the page', async () => {
  const { outside, written, folder, interrupt } = await anOutside({ clock: systemClock });
  const running = main(['page', '--load', await aDump(folder, both)], outside);
  await expect.poll(() => written.stdout).toMatch(/^http/);
  const read = await reading(written.stdout.trim());
  const { deleting } = await read<{ deleting: Machine[] }>('/api/overview');
  expect(deleting.map(({ api, name }) => `${api}:${name}`).toSorted()).toEqual(['capi:a', 'openshift:a']);
  for (const [api, apiVersion, uid, hook] of apis) {
    const view = await read<Machine>(`/api/machines/${api}/fleet/a`);
    expect(view.deleting.standing.machine).toMatchObject({ apiVersion, uid });
    expect(view.explanation.machine).toMatchObject({ apiVersion, uid });
    expect(view.explanation.causes.map(({ what }) => what).join()).toContain(hook);
  }
  interrupt();
  expect(await running).toBe(0);
});
