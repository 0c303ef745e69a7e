import { readDeclaredFunctions } from '../../../infra/local/platform/declared-functions.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../../shared/dialects/dialect.ts';
import type { Conditions } from '../stage/conditions.ts';
import type { Fleet } from '../stage/fleet.ts';
import { type Played, play } from '../stage/story.ts';
import { Knative, type Sources } from './knative.ts';
import { pingSourceDefinition, pingSourceObject, scheduleOf } from './schedules.ts';

const served = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: resourceOf(clusterApi, 'v1beta2'),
};
const file = await readDeclaredFunctions([served]);

/** A story in which events do not arrive as they should. */
export interface Missed extends Sources {
  scene: (fleet: Fleet) => void;
  plot: (fleet: Fleet, knative: Knative) => Promise<void>;
  conditions?: Conditions;
  /** The tick that asks for what is due rests while nothing is being deleted, as where phaseout is installed. */
  rests?: boolean;
  /** Workers that are there at the end. */
  left?: string[];
}

/**
 * Plays it to its end with what serverless.yml declares. It does nothing unsafe, and neither looks nor writes after the
 * end.
 */
export async function playMissed(missed: Missed): Promise<Played> {
  const { plot, conditions = {} } = missed;
  let knative: Knative | undefined;
  return play(
    {
      ...(missed.rests ? withRest(missed.scene) : { scene: missed.scene }),
      carrier(parts) {
        knative = new Knative(parts, file, missed);
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

const [due] = file.pingSources.filter(({ atRest }) => atRest !== undefined);

const withRest = (scene: Missed['scene']) => {
  if (due === undefined) throw new Error('serverless.yml declares no tick that rests');
  return {
    duePingSource: `fleet/${due.name}`,
    beside: [pingSourceDefinition],
    scene(fleet: Fleet): void {
      scene(fleet);
      fleet.create('pingsources.sources.knative.dev', pingSourceObject(due));
    },
  };
};

/** Whether the tick that asks for what is due goes now. */
export const ticksGo = ({ server }: Fleet): boolean =>
  due !== undefined && scheduleOf(server.cluster, due) === due.schedule;

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
