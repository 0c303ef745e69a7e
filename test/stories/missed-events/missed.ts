import { readDeclaredFunctions } from '../../../infra/local/declared-functions.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../../shared/dialects/dialect.ts';
import type { Conditions } from '../stage/conditions.ts';
import type { Fleet } from '../stage/fleet.ts';
import { type Played, play } from '../stage/story.ts';
import { Knative } from './knative.ts';

const served = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: resourceOf(clusterApi, 'v1beta2'),
};
const file = await readDeclaredFunctions([served]);

/** A story in which events do not arrive as they should. */
export interface Missed {
  scene: (fleet: Fleet) => void;
  plot: (fleet: Fleet, knative: Knative) => Promise<void>;
  conditions?: Conditions;
  /** Only Machines that it selects are watched. */
  labelSelector?: string;
  /** Workers that are there at the end. */
  left?: string[];
}

/** Plays it to its end with what serverless.yml declares: nothing unsafe on the way, no look and no write after it. */
export async function playMissed({ scene, plot, conditions = {}, labelSelector }: Missed): Promise<Played> {
  let knative: Knative | undefined;
  return play(
    {
      scene,
      carrier(parts) {
        knative = new Knative(parts, file, labelSelector);
        return knative;
      },
      async plot(fleet) {
        if (knative === undefined) throw new Error('nothing carries the events of this story');
        await plot(fleet, knative);
      },
    },
    conditions,
  );
}

/** Of the objects of Machines, those of the workers that are left and of the control plane. */
export function endWith(...left: string[]) {
  const nodes = left.map((name) => name.replace('worker', 'node'));
  return {
    machines: Object.fromEntries(['blue-cp-1', 'blue-cp-2', ...left].map((name) => [name, 'Running'])),
    nodes: ['blue-cp-1', 'blue-cp-2', ...nodes].map((name) => `${name} false`),
    infrastructure: left,
    bootstrap: left,
    pods: [],
    servers: [],
  };
}
