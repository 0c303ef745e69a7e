import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../infra/cli/main.ts';
import type { AuditEntry } from '../../infra/local/kubernetes/authorization/access.ts';
import type { MachineView, OverviewView } from '../../infra/page/views.ts';
import type { Explanation } from '../../shared/explain/explanation.ts';
import type { FleetPlan } from '../../shared/explain/fleet/fleet-plan.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { aStore } from '../infra/cli/history/a-store.ts';
import { aGuardedCluster, type Rights } from '../infra/cli/look/guarded.ts';
import { anOutside, parsed } from '../infra/cli/outside.ts';
import { reading } from '../infra/cli/page-reader.ts';
import { type Scene, scenes } from './viewer/scenes.ts';
import { named } from './viewer/things.ts';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const roleIn = async (file: string): Promise<Rule[]> =>
  parse(await readFile(new URL(`../../infra/viewer/${file}.yaml`, import.meta.url), 'utf8')).rules;

const viewer = await roleIn('viewer');
const ofWorkload = await roleIn('viewer-workload');

/** The functions' configuration of their store. */
const installedWith = (endpoint: string) => [
  named('v1', 'Namespace', 'phaseout', {}),
  { ...named('v1', 'ConfigMap', 'phaseout/phaseout', {}), data: { PHASEOUT_DYNAMODB_ENDPOINT: endpoint } },
];

interface Answer {
  code: number;
  json: { unread: string[] } & Partial<Explanation> & Pick<Partial<FleetPlan>, 'groups'>;
}

interface Played {
  scene: Scene;
  status: Answer;
  explain: Answer;
  plan: Answer;
  many: Answer;
  hooks: Answer;
  history: Answer;
  management: AuditEntry[];
  workload: AuditEntry[];
}

const withRights = (rules: readonly Rule[]): Rights => ({ rules });

const run = async (args: readonly string[]): Promise<Answer> => {
  const { outside, written } = await anOutside();
  const code = await main(args, outside);
  return { code, json: written.stdout === '' ? { unread: [written.stderr] } : parsed(written.stdout) };
};

/**
 * The clusters of a scene for one user. `here` are the rights in the management cluster, `there` those in the workload
 * cluster. If both are one cluster, it grants both.
 */
async function clustersOf(scene: Scene, here = viewer, there = ofWorkload) {
  const { folder } = await anOutside();
  const { endpoint } = await aStore();
  const isOne = scene.workload === undefined;
  const workload = isOne
    ? undefined
    : await aGuardedCluster(scene.workload ?? [], withRights(there), { folder, name: 'there' });
  const objects = [...scene.management, ...installedWith(endpoint)];
  const management = await aGuardedCluster(objects, withRights(isOne ? [...here, ...there] : here), {
    folder,
    name: 'here',
    ...(workload && { elsewhere: new Map([['fleet/blue', workload.url]]) }),
  });
  const way = [
    '--kubeconfig',
    management.kubeconfig,
    ...(workload === undefined ? [] : ['--workload-kubeconfig', workload.kubeconfig]),
  ];
  return { management, workload, way };
}

/** Each command as that user. */
async function play(scene: Scene, ...roles: Rule[][]): Promise<Played> {
  const { management, workload, way } = await clustersOf(scene, ...roles);
  const ask = (...args: string[]): Promise<Answer> => run([...args, ...way, '-o', 'json']);
  return {
    scene,
    status: await ask('status'),
    explain: await ask('explain', scene.machine),
    plan: await ask('plan', scene.machine),
    many: await ask('plan', '--all'),
    // No Node of any Machine is asked for.
    hooks: await run(['hooks', '--kubeconfig', management.kubeconfig, '-o', 'json']),
    history: await run(['history', scene.machine, '--kubeconfig', management.kubeconfig, '-o', 'json']),
    management: management.asked,
    workload: workload?.asked ?? management.asked,
  };
}

const playAll = (): Promise<Played[]> => Promise.all(scenes.map((scene) => play(scene)));

describe('with the roles phaseout-viewer and phaseout-viewer-workload', () => {
  test.each(scenes)('all is read of $name', async (scene) => {
    const { status, explain, plan, many, hooks, history } = await play(scene);
    expect([status, explain, plan, many, hooks].map(({ json }) => json.unread)).toEqual([[], [], [], [], []]);
    expect([status.code, plan.code, hooks.code]).toEqual([0, 0, 0]);
    expect([0, 4]).toContain(explain.code);
    expect([0, 4]).toContain(many.code);
    // That store has no history, and it was read.
    expect([history.code, explain.json.tried ?? []]).toEqual([1, []]);
  });

  test.each(scenes)('the page has all of $name', async (scene) => {
    const { management, workload, way } = await clustersOf(scene);
    const { outside, written, interrupt } = await anOutside({ clock: systemClock });
    const running = main(['page', ...way], outside);
    await expect.poll(() => written.stdout).toMatch(/^http/);
    const read = await reading(written.stdout.trim());
    const overview = await read<OverviewView>('/api/overview');
    const [namespace, name] = scene.machine.split('/');
    const { api } = [...overview.deleting, ...overview.living].find((each) => each.name === name)!;
    const machine = await read<MachineView>(`/api/machines/${api}/${namespace}/${name}`);
    expect([overview.unread, machine.unread, machine.plan?.machine.name]).toEqual([[], [], name]);
    const asked = [...management.asked, ...(workload?.asked ?? [])];
    expect(asked.filter(({ decision }) => decision === 'forbid')).toEqual([]);
    interrupt();
    expect(await running).toBe(0);
  });

  test('nothing is asked that is not granted, and no Secret at all', async () => {
    const all = (await playAll()).flatMap(({ management, workload }) => [...management, ...workload]);
    expect(
      all.filter(({ decision }) => decision === 'forbid').map(({ verb, resource }) => `${verb} ${resource}`),
    ).toEqual([]);
    expect(all.filter(({ resource }) => resource === 'secrets')).toEqual([]);
    expect(all.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))).toEqual([]);
  });
});

const each = (rules: readonly Rule[]) =>
  rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => ({ verb, resource, group }))),
    ),
  );

const isAsked =
  (asked: readonly AuditEntry[]) =>
  ({ verb, resource, group }: { verb: string; resource: string; group: string }): boolean =>
    asked.some(
      (entry) =>
        entry.verb === verb && entry.group === group && (resource === '*' || entry.resource === resource),
    );

describe('nothing is to spare', () => {
  test('in phaseout-viewer but the watch of `status --watch`', async () => {
    const asked = (await playAll()).flatMap(({ management }) => management);
    const spare = each(viewer).filter((grant) => grant.verb !== 'watch' && !isAsked(asked)(grant));
    expect(spare).toEqual([]);
  });

  test('in phaseout-viewer-workload', async () => {
    const asked = (await playAll()).flatMap(({ workload }) => workload);
    expect(each(ofWorkload).filter((grant) => !isAsked(asked)(grant))).toEqual([]);
  });
});

const without = (rules: readonly Rule[], name: string): Rule[] =>
  rules
    .map((rule) => ({ ...rule, resources: rule.resources.filter((resource) => resource !== name) }))
    .filter(({ resources }) => resources.length > 0);

describe('with less', () => {
  const [drained] = scenes;

  test.each([
    ['pods', 'drain'],
    ['nodes', 'drain'],
  ])('a user who may not read %s learns that what holds the %s is unknown', async (resource, phase) => {
    const { explain } = await play(drained!, viewer, without(ofWorkload, resource));
    expect(explain.code).toBe(5);
    expect(explain.json.verdict).toBe('unknown');
    expect(explain.json.causes?.map(({ kind, phase: of }) => [kind, of])).toEqual([['unread', phase]]);
    expect(explain.json.unread?.[0]).toMatch(
      new RegExp(`^not read: ${resource} .*: forbidden for user viewer$`),
    );
  });

  test.each(['replicasets', 'deployments'])(
    'a plan of many names no owner to a user who may not list %s, and says so',
    async (resource) => {
      const { many } = await play(drained!, viewer, without(ofWorkload, resource));
      expect(many.json.groups?.map(({ kind, owner }) => [kind, owner])).toEqual([['budget', undefined]]);
      expect(many.json.unread).toEqual([
        `not read: ${resource}.apps in the workload cluster fleet/blue: forbidden for user viewer`,
      ]);
    },
  );

  test('a user with neither the Secret nor another way learns which Secret it is', async () => {
    const { folder } = await anOutside();
    const { kubeconfig } = await aGuardedCluster(drained!.management, withRights(viewer), {
      folder,
      name: 'here',
    });
    const { outside, written } = await anOutside();
    expect(await main(['explain', 'fleet/a', '--kubeconfig', kubeconfig], outside)).toBe(5);
    expect(written.stderr.split('\n')).toContain(
      'not read: secrets fleet/blue-kubeconfig: forbidden for user viewer',
    );
  });

  test('one Machine API that may not be read keeps no Machine of another from being seen', async () => {
    const openShift = scenes.find(({ machine }) => machine.startsWith('openshift'));
    const mixed = { ...drained!, management: [...drained!.management, ...openShift!.management] };
    const ofOne = viewer
      .map((rule) => ({
        ...rule,
        apiGroups: rule.apiGroups.filter((group) => group !== 'machine.openshift.io'),
      }))
      .filter(({ apiGroups }) => apiGroups.length > 0);
    const { status, explain } = await play(mixed, ofOne);
    expect([status.code, status.json.unread]).toEqual([
      0,
      ['not read: machines.machine.openshift.io: forbidden for user viewer'],
    ]);
    expect(explain.json.machine?.name).toBe('a');
  });

  test('the status fails where no Machine may be listed, and says who may not', async () => {
    const { status } = await play(drained!, without(viewer, 'machines'));
    expect([status.code, status.json.unread]).toEqual([
      1,
      ['phaseout: not read: machines.cluster.x-k8s.io: forbidden for user viewer\n'],
    ]);
  });
});
