import * as z from 'zod';
import type { KubeObject } from '../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import { Fleet, type FleetParts, resources } from '../stories/stage/fleet.ts';
import type { Recorded } from './recorded.ts';
import type { Pass } from './recordings.ts';

/** The recorded providers have no conditions. */
const provided = {
  conditions: null,
  ready: true,
  initialization: { provisioned: true, dataSecretCreated: true },
};

/** Builds the scene and plays the plot. It hands the stage to `set` early, so that the caller can end it. */
export async function play(
  pass: Omit<Pass, 'recorded'>,
  recorded: Recorded,
  version: NonNullable<FleetParts['version']>,
  set: (stage: Fleet) => void,
): Promise<Fleet> {
  const { without } = pass;
  // As the API was that the recordings are of.
  const stage = new Fleet(
    {},
    { version, tellsOfHooks: false, ...(without === undefined ? {} : { without }) },
  );
  set(stage);
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
export const asRecorded = <T>(value: T, name: string): T =>
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

export const isAbout = ({ involvedObject }: KubeObject): boolean =>
  recordAt(involvedObject)['name'] === 'worker-1';

/** Undefined for a Node that is not there. */
export const cordon = (node: KubeObject | undefined): unknown => recordAt(node, 'spec')['unschedulable'];
