import { dialectsOf } from '../../../shared/dialects/registry.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { aWorld, type World } from '../../builders/world.ts';

const watched = dialectsOf({ machineApis: ['capi'], observed: ['capi'] });

/** A world in which phaseout only watches Cluster API's own controller. */
export function aWatchedWorld(settings: Partial<Environment['settings']> = {}): World {
  const world = aWorld(shows('DrainingNode'), settings);
  world.env.dialects = watched;
  return world;
}

/** Another instance in it. */
export const anotherIn = (world: World): Environment => ({ ...world.another(), dialects: watched });

/** A Machine as its own controller has left it. */
export function shows(reason: string, annotations: Record<string, string> = {}): KubeObject {
  const conditions = [{ type: 'Deleting', status: 'True', reason, message: `it is in ${reason}` }];
  return aRawMachine({ annotations, status: { conditions } });
}

/** Puts two Pods on the Node. A budget allows no eviction of them. */
export function guarded({ workload }: World): void {
  for (const name of ['web-1', 'web-2'])
    workload.put('pods', {
      metadata: { namespace: 'shop', name, uid: `uid-${name}`, labels: { app: 'web' } },
      spec: { nodeName: 'node-1' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  workload.put('poddisruptionbudgets', {
    metadata: { namespace: 'shop', name: 'web', generation: 1 },
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 2,
      desiredHealthy: 2,
      expectedPods: 2,
    },
  });
}
