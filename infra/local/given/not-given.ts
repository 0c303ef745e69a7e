import type { NotGiven } from '../../../shared/plan/missing-node.ts';
import { identityOf } from '../load/stand-ins.ts';
import type { ClusterName } from './clusters.ts';
import { type Given, givenMachine } from './given-machine.ts';
import { lacksNode } from './node.ts';
import { lacksVolumes } from './volumes.ts';

/** What was not given of the Machine of this name: it is unknown, not absent. */
export function notGivenOf(ref: ClusterName & { apiVersion: string }, given: Given): NotGiven {
  const { apiVersion, namespace, name } = ref;
  const wanted = identityOf({ apiVersion, kind: 'Machine', metadata: { namespace, name } });
  const machine = given.management.find((object) => identityOf(object) === wanted);
  if (machine === undefined) return {};
  const view = givenMachine(machine, given);
  return { isNodeMissing: lacksNode(view), areVolumesMissing: lacksVolumes(view) };
}
