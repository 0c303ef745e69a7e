import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Manifest, readManifests } from '../../../../infra/terminal/manifests.ts';
import { recordAt } from '../../../../shared/dialects/fields.ts';

const fields = join(import.meta.dirname, '../field');
const recordings = join(import.meta.dirname, '../../../golden');

/** A world that all readers are shown, and the Machine that they tell of. */
export interface World {
  name: string;
  /** A file or a folder of manifests. */
  path: string;
  /** The Machine is shown as phaseout has it in this phase. */
  phase?: string;
  /** What it has been given meanwhile. */
  annotations?: Record<string, string>;
  /** `namespace/name` of the Machine, where it is not found by itself. */
  machine?: string;
  /** Budgets that never let a Pod go. */
  closed?: readonly string[];
  /** Where DeletionHooks of its namespace ask. */
  deletionHooks?: readonly string[];
  /** A hook of others at its pre-drain that a DeletionHook describes. */
  described?: string;
  /** Its Cluster is paused, which the Machine does not show. */
  isPaused?: boolean;
}

/** It has what makes Machines, and no Machine. */
const withoutMachine = 's12b-only-makers';

/** As reports of users have them: as they are, and with the Machine in its drain. */
export const fieldWorlds: World[] = readdirSync(fields)
  .filter((name) => name !== withoutMachine)
  .toSorted()
  .flatMap((name) => [
    { name, path: join(fields, name) },
    { name: `${name}, in its drain`, path: join(fields, name), phase: 'drain' },
  ]);

const late = (point: string) => ({ [`${point}.delete.hook.machine.cluster.x-k8s.io/late`]: 'somebody' });

/** What somebody has set with kubectl while the deletion went on. */
export const changedWorlds: World[] = [
  { phase: 'drain', annotations: late('pre-drain') },
  { phase: 'drain', annotations: late('pre-terminate') },
  { phase: 'infrastructure', annotations: late('pre-drain') },
  { phase: 'infrastructure', annotations: late('pre-terminate') },
  { phase: 'node', annotations: late('pre-terminate') },
  { phase: 'infrastructure', annotations: { ...late('pre-terminate'), 'cluster.x-k8s.io/paused': '' } },
  { phase: 'volume-detach', annotations: { 'cluster.x-k8s.io/paused': '' } },
].map(({ phase, annotations }) => ({
  name: `96-live-changes, in ${phase}, with ${Object.keys(annotations).join(' and ')}`,
  path: join(fields, '96-live-changes'),
  phase,
  annotations,
}));

/** What one Machine alone does not tell. */
export const pausedWorlds: World[] = [undefined, 'drain', 'infrastructure'].map((phase) => ({
  name: `96-live-changes with a Cluster that is paused${phase === undefined ? '' : `, in ${phase}`}`,
  path: join(fields, '96-live-changes'),
  isPaused: true,
  ...(phase !== undefined && { phase }),
}));

/** The example fleet, with walls in later batches. */
export const exampleWorlds: World[] = ['worker-1', 'worker-2', 'worker-3'].flatMap((name) =>
  [undefined, 'pre-drain', 'drain'].map((phase) => ({
    name: `fleet/${name} with budgets that never let go${phase === undefined ? '' : `, in its ${phase}`}`,
    path: join(import.meta.dirname, '../../../../infra/local/examples/capi.yaml'),
    machine: `fleet/${name}`,
    closed: ['web', 'api'],
    ...(phase !== undefined && { phase }),
  })),
);

/** A worker for which functions are asked, before its drain and before its server goes. */
export const functionWorlds: World[] = [undefined, 'pre-drain', 'drain', 'pre-terminate', 'node'].map(
  (phase) => ({
    name: `fleet/worker-2 with two DeletionHooks${phase === undefined ? '' : `, in its ${phase}`}`,
    path: join(import.meta.dirname, '../../../../infra/local/examples/capi.yaml'),
    machine: 'fleet/worker-2',
    deletionHooks: ['PreDrain', 'PreTerminate'],
    ...(phase !== undefined && { phase }),
  }),
);

/** A worker that a hook of others holds, and what is said of that. */
export const describedWorlds: World[] = [undefined, 'pre-drain', 'drain'].map((phase) => ({
  name: `fleet/worker-1 with a DeletionHook of its hook${phase === undefined ? '' : `, in its ${phase}`}`,
  path: join(import.meta.dirname, '../../../../infra/local/examples/capi.yaml'),
  machine: 'fleet/worker-1',
  described: 'move-traffic',
  ...(phase !== undefined && { phase }),
}));

/** What has no Machine, or none that there is any more. */
const others = /events|answers|^61-/;

export const recordedWorlds: World[] = ['capi', 'beside'].flatMap((folder) =>
  readdirSync(join(recordings, folder))
    .filter((name) => name.endsWith('.yaml') && !others.test(name))
    .toSorted()
    .map((name) => ({ name: `${folder}/${name}`, path: join(recordings, folder, name) })),
);

const told = new Set(['prod/md-1', 'fleet-default/custom-old']);

/** The manifests as a file in a folder of its own, and the Machine that is looked at. */
export async function written(
  { path, phase, annotations = {}, machine: wanted, closed = [], isPaused, ...world }: World,
  folder: string,
): Promise<[file: string, machine: string]> {
  const manifests = await readManifests([path]);
  const machine = machineIn(manifests, wanted);
  const { namespace = '', name } = machine.metadata;
  const objects = manifests.map(({ object }) =>
    object === machine && phase !== undefined
      ? standingIn(phase, machine, annotations)
      : isPaused === true
        ? pausedIn(object)
        : closedIn(object, closed),
  );
  const hooks = specsOf(world).map((spec) => ({
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DeletionHook',
    metadata: { name: `ask-at-${spec.at.toLowerCase()}`, namespace },
    spec,
  }));
  const file = join(folder, 'world.yaml');
  await writeFile(
    file,
    [...objects, ...hooks].map((object) => stringify(object, { version: '1.1' })).join('---\n'),
  );
  return [file, `${namespace}/${name}`];
}

const specsOf = ({ deletionHooks = [], described }: Pick<World, 'deletionHooks' | 'described'>) => [
  ...deletionHooks.map((at) => ({ at })),
  ...(described === undefined
    ? []
    : [
        { at: 'PreDrain', setBy: 'Others', hook: described, contact: '#net', runbook: 'https://net.example' },
      ]),
];

type Machine = Manifest['object'];

/** The one that the report is about, else the first that is being deleted. */
function machineIn(manifests: readonly Manifest[], wanted: string | undefined): Machine {
  const machines = manifests.map(({ object }) => object).filter(({ kind }) => kind === 'Machine');
  const isTold = ({ metadata: { namespace = '', name } }: Machine): boolean =>
    told.has(`${namespace}/${name}`);
  const isDeleting = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;
  const isWanted = ({ metadata: { namespace = '', name } }: Machine): boolean =>
    `${namespace}/${name}` === wanted;
  const machine =
    machines.find(isWanted) ?? machines.find(isTold) ?? machines.find(isDeleting) ?? machines[0];
  if (machine === undefined) throw new Error('there is no Machine in it');
  return machine;
}

const pausedIn = (object: Machine): Machine =>
  object.kind === 'Cluster' ? { ...object, spec: { ...recordAt(object, 'spec'), paused: true } } : object;

const closedIn = (object: Machine, closed: readonly string[]): Machine =>
  object.kind === 'PodDisruptionBudget' && closed.includes(object.metadata.name)
    ? { ...object, spec: { ...recordAt(object, 'spec'), minAvailable: undefined, maxUnavailable: 0 } }
    : object;

const began = '2026-11-28T05:00:00Z';

/** Phaseout has come to this phase, and has said nothing of it yet. */
function standingIn(phase: string, machine: Machine, set: Record<string, string>): Machine {
  const { uid = '00000000-0000-4000-8000-000000000001', annotations, ...metadata } = machine.metadata;
  const checkpoint = JSON.stringify({ v: 1, uid, seq: 1, phase, since: began, passed: {} });
  return {
    ...machine,
    metadata: {
      deletionTimestamp: began,
      deletionGracePeriodSeconds: 0,
      ...metadata,
      uid,
      annotations: { ...annotations, ...set, 'phaseout.dev/checkpoint': checkpoint },
    },
  };
}
