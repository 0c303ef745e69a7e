import type { Blueprint, MachineBlueprint } from '../scenario/blueprint.ts';
import { aCluster, aMachine, aNode, emptyDraft, type Site } from '../scenario/draw/draft.ts';
import { blueSite } from '../scenario/draw/usual-sites.ts';
import type { Scenario } from '../scenario/model.ts';
import { scenarioOf } from '../scenario/plan.ts';

interface Parts {
  worker?: Partial<MachineBlueprint>;
  site?: Site;
  /** What else there is, or is otherwise. */
  also?: Partial<Blueprint>;
  world?: Partial<Scenario['world']>;
  calmAt: number;
}

/** A worker with the Node node-1, beside a control plane Machine. It is deleted a second after the beginning. */
export function oneWorker({ worker: parts, site = blueSite, also, world, calmAt }: Parts): Scenario {
  const { host } = site;
  const member = aMachine(site, { name: 'blue-cp-1', isControlPlane: true });
  const worker = aMachine(site, { name: 'blue-worker-1', node: 'node-1', deletedAt: [1_000], ...parts });
  return scenarioOf({
    blueprint: {
      ...emptyDraft(),
      clusters: [aCluster(site)],
      machines: [member, worker],
      nodes: [aNode({ host, name: 'node-1', providerID: worker.providerID })],
      ...also,
    },
    world: { workloads: [host], instances: 1, config: {}, latencyMilliseconds: 5, ...world },
    calmAt,
  });
}
