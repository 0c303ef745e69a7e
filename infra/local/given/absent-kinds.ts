import { leavePodsToMake } from '../load/pods-to-come.ts';
import type { GivenMachine } from './given-machine.ts';

const webhooks = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];

interface Deciding {
  /** In the cluster that has the Machines. */
  management: readonly string[];
  /** In the cluster that has the Nodes. */
  workload: readonly string[];
}

/** Kinds that change a deletion, but whose absence no other message shows. */
const deciding: Readonly<Record<string, Deciding>> = {
  'cluster.x-k8s.io': {
    management: ['MachineDrainRule'],
    workload: ['Pod', 'PodDisruptionBudget', 'VolumeAttachment', ...webhooks],
  },
  'machine.openshift.io': { management: [], workload: ['Pod', 'PodDisruptionBudget', ...webhooks] },
};

/** Kinds that are wholly absent. Where the Node itself was not given, that says enough of its cluster. */
export function absentKinds(view: GivenMachine, isNodeMissing: boolean): string[] {
  const { management, workload } = deciding[view.group] ?? { management: [], workload: [] };
  const absent = [
    ...absentFrom(view.management, management),
    ...(isNodeMissing ? [] : absentFrom(view.objects, workload)),
  ];
  return absent;
}

function absentFrom(objects: GivenMachine['objects'], kinds: readonly string[]): string[] {
  const seen = new Set(objects.map(({ kind }) => kind));
  if (leavePodsToMake(objects)) seen.add('Pod');
  return kinds.filter((kind) => !seen.has(kind));
}

export const sayAbsent = (kinds: readonly string[]): string =>
  `none in the dump: there are none, or they were not asked for: ${kinds.join(', ')}`;
