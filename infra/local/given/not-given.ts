import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { NotGiven } from '../../../shared/plan/node.ts';
import { type ClusterName, nameOf, sayCluster } from './clusters.ts';
import { type Given, givenMachine } from './given-machine.ts';
import { lacksNode } from './node.ts';
import { lacksVolumes } from './volumes.ts';

/** What was not given of the Machine of this name: it is unknown, not absent. */
export function notGivenOf(ref: ClusterName & { apiVersion: string }, given: Given): NotGiven {
  const { group } = groupVersionOf(ref);
  const machine = given.management.find(
    (object) =>
      object.kind === 'Machine' &&
      groupVersionOf(object).group === group &&
      sayCluster(nameOf(object)) === sayCluster(ref),
  );
  if (machine === undefined) return {};
  const view = givenMachine(machine, given);
  return { isNodeMissing: lacksNode(view), areVolumesMissing: lacksVolumes(view) };
}
