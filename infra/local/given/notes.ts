import { leavePodsToMake } from '../load/stand-ins.ts';
import { type ClusterName, chosenMachines } from './clusters.ts';
import { idleRuleNotes } from './drain-rules.ts';
import { type Given, type GivenMachine, givenMachine } from './given-machine.ts';
import { hasKind } from './given-objects.ts';
import { onlyMakersNotes } from './makers.ts';
import { namespaceNotes } from './namespaces.ts';
import { lacksNode, nodeNotes, volumeNotes } from './node.ts';
import { makerNotes } from './not-played.ts';
import { ownerNotes } from './owners.ts';
import { webhookNotes } from './webhooks.ts';

const about: readonly ((view: GivenMachine) => string[])[] = [
  nodeNotes,
  ownerNotes,
  volumeNotes,
  namespaceNotes,
  webhookNotes,
  makerNotes,
];

/** What was not given or is not played, and would change the answer for these Machines. One line each, for people. */
export function givenNotes(given: Given, names: readonly ClusterName[] | undefined): string[] {
  const views = chosenMachines(given.management, names).map((machine) => givenMachine(machine, given));
  const absent = new Set(views.flatMap((view) => absentKinds(view, lacksNode(view))));
  const notes = about.flatMap((notesOn) => views.flatMap(notesOn));
  return [
    ...onlyMakersNotes(given.management),
    ...new Set(notes),
    ...idleRuleNotes(given.management),
    ...(absent.size > 0 ? [sayAbsent([...absent])] : []),
  ];
}

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
function absentKinds(view: GivenMachine, isNodeMissing: boolean): string[] {
  const { management, workload } = deciding[view.group] ?? { management: [], workload: [] };
  return [
    ...absentFrom(view.management, management),
    ...(isNodeMissing ? [] : absentFrom(view.objects, workload)),
  ];
}

function absentFrom(objects: GivenMachine['objects'], kinds: readonly string[]): string[] {
  const isThere = (kind: string): boolean =>
    hasKind(objects, kind) || (kind === 'Pod' && leavePodsToMake(objects));
  return kinds.filter((kind) => !isThere(kind));
}

const sayAbsent = (kinds: readonly string[]): string =>
  `none in the dump: there are none, or they were not asked for: ${kinds.join(', ')}`;
