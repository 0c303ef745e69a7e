import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { KubeObject } from '../../infra/local/kubernetes/cluster.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import { Fleet, type FleetParts, resources } from '../stories/stage/fleet.ts';
import { Recorded } from './recorded.ts';
import { type Pass, passes } from './recordings.ts';
import { eventsOf, stateOf } from './state.ts';

let fleet: Fleet | undefined;
afterEach(() => fleet?.end());

/** The recorded providers have no conditions. */
const provided = {
  conditions: null,
  ready: true,
  initialization: { provisioned: true, dataSecretCreated: true },
};

async function play(
  pass: Pass,
  recorded: Recorded,
  version: NonNullable<FleetParts['version']>,
): Promise<Fleet> {
  const { without } = pass;
  const stage = new Fleet({}, { version, ...(without === undefined ? {} : { without }) });
  fleet = stage;
  stage.create('namespaces', { metadata: { name: 'bench' } });
  stage.cluster();
  pass.scene(stage, recorded);
  for (const resource of [resources.infrastructure, resources.bootstrap])
    stage.change(resource, 'worker-1', { status: provided }, 'status');
  await stage.seconds(3);
  stage.begin();
  await pass.plot(stage);
  return stage;
}

/** With the recorded names, and with what was recorded before the deletion dated before the stage's clock. */
const asRecorded = <T>(value: T, name: string): T =>
  z
    .custom<T>()
    .parse(
      JSON.parse(
        JSON.stringify(value)
          .replaceAll('node-1', name)
          .replaceAll('worker-1', name)
          .replaceAll('2026-11-20T', '2025-11-20T'),
      ),
    );

const isAbout = ({ involvedObject }: KubeObject): boolean => recordAt(involvedObject)['name'] === 'worker-1';
const cordon = (node: KubeObject | undefined): unknown => recordAt(node, 'spec')['unschedulable'];

describe.each(['v1beta2', 'v1beta1'] as const)(
  'a Machine of %s is left as Cluster API leaves it',
  (version) => {
    it.each(Object.entries(passes))('%s', async (_title, pass) => {
      const [file, name] = pass.recorded;
      const recorded = new Recorded(file);
      const { cluster } = (await play(pass, recorded, version)).server;
      const machine = cluster.get(resources.machines, 'fleet', 'worker-1');
      expect(stateOf(asRecorded(machine!, name))).toStrictEqual(stateOf(recorded.machine));
      const events = asRecorded(cluster.list('events').filter(isAbout), name);
      expect(eventsOf(events)).toStrictEqual(eventsOf(recorded.of('Event')));
      expect(cordon(cluster.get('nodes', '', 'node-1'))).toBe(cordon(recorded.of('Node')[0]));
    });
  },
);
