import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { customResourceDefinition } from '../../infra/local/kubernetes/crds/definition.ts';
import { Fleet, resources } from './stage/fleet.ts';
import { checkpointOf } from './stage/sights.ts';

type Place = 'infrastructure' | 'bootstrap';

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/story';
const ofDefinition = z.object({ spec: z.object({ versions: z.array(z.looseObject({ name: z.string() })) }) });
const ofCheckpoint = z.object({ phase: z.string(), passed: z.record(z.string(), z.unknown()) });

/** As while a definition is replaced: its objects stay stored. */
function serve(fleet: Fleet, place: Place, served: boolean): void {
  const { cluster } = fleet.server;
  const metadata = { name: resources[place] };
  const { spec } = ofDefinition.parse(cluster.get(definitions, undefined, metadata.name));
  const versions = spec.versions.map((version) => ({ ...version, served }));
  cluster.patch(definitions, { metadata }, { spec: { versions } });
}

/** Another kind of the same group goes on being served. */
function withSibling(fleet: Fleet, place: Place): void {
  const group = `${place}.cluster.x-k8s.io`;
  const versions = [{ name: 'v1beta1' }, { name: 'v1beta2' }];
  fleet.create(
    definitions,
    customResourceDefinition({ group, kind: 'Sibling', plural: 'siblings', versions }),
  );
}

/** Where the deletion stands: its phase, and what it has passed. */
function standing(fleet: Fleet): string {
  const machine = fleet.machine('worker-1');
  if (machine === undefined) return 'gone';
  const { phase, passed } = ofCheckpoint.parse(checkpointOf(machine));
  return [phase, 'after', ...Object.keys(passed)].join(' ');
}

interface Told {
  /** Before it ends to be served; resolves when that is to come. */
  before: (fleet: Fleet) => Promise<void>;
  /** What would let the deletion go on if the object counted as deleted. */
  after: (fleet: Fleet) => void;
  /** Of the infrastructure object. */
  finalizers?: string[];
}

/** Two hours in which the kind is not served, and what comes after them. */
async function played(place: Place, told: Told, hasSibling: boolean) {
  const fleet = new Fleet({}, {});
  try {
    fleet.cluster();
    const { finalizers } = told;
    fleet.worker('worker-1', {
      metadata: { annotations: { [hook]: '' } },
      ...(finalizers && { infrastructure: { finalizers } }),
    });
    fleet.pods('web', 2, 'node-1');
    if (hasSibling) withSibling(fleet, place);
    await fleet.seconds(3);
    fleet.begin();
    await told.before(fleet);
    serve(fleet, place, false);
    told.after(fleet);
    await fleet.seconds(2 * 3_600);
    const meanwhile = standing(fleet);
    const node = fleet.server.cluster.get('nodes', undefined, 'node-1') !== undefined;
    serve(fleet, place, true);
    const object = fleet.server.cluster.get(resources[place], 'fleet', 'worker-1') !== undefined;
    if (object) fleet.change(resources[place], 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
    const left = fleet.server.cluster.list(resources[place]).map(({ metadata }) => metadata.name);
    return { meanwhile, node, object, left, problems: fleet.problems };
  } finally {
    fleet.end();
  }
}

const deletes = (fleet: Fleet): void => fleet.delete('worker-1');
const takesHookOff = (fleet: Fleet): void => fleet.annotate('worker-1', { [hook]: null });
const nothing = (): void => undefined;
const noTime = (): Promise<void> => Promise.resolve();

const begun: Told = {
  async before(fleet) {
    deletes(fleet);
    await fleet.seconds(60);
  },
  after: takesHookOff,
};

const going: Told = {
  async before(fleet) {
    deletes(fleet);
    await fleet.seconds(60);
    takesHookOff(fleet);
    await fleet.seconds(60);
  },
  after: nothing,
  finalizers: ['story/held'],
};

const before: Told = {
  before: noTime,
  after(fleet) {
    takesHookOff(fleet);
    deletes(fleet);
  },
};

const drained = 'drain volume-detach pre-terminate';

describe.each([
  ['with its whole group', false],
  ['alone of its group', true],
])('an object holds the Machine while its kind, %s, is not served', (_how, hasSibling) => {
  test.each<[Place, string, Told, string]>([
    ['infrastructure', 'before the deletion begins', before, 'drain after '],
    ['infrastructure', 'after the drain', begun, `infrastructure after ${drained}`],
    ['infrastructure', 'while the object goes', going, `infrastructure after ${drained}`],
    ['bootstrap', 'before the deletion begins', before, 'bootstrap after drain volume-detach infrastructure'],
    ['bootstrap', 'after the drain', begun, `bootstrap after ${drained} infrastructure`],
  ])('%s, not served from a time %s', async (place, _when, told, meanwhile) => {
    expect(await played(place, told, hasSibling)).toEqual({
      meanwhile: meanwhile.trim(),
      node: true,
      object: true,
      left: [],
      problems: [],
    });
  });
});
