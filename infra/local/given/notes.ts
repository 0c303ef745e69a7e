import { absentKinds, sayAbsent } from './absent-kinds.ts';
import { type ClusterName, chosenMachines } from './clusters.ts';
import { type Given, type GivenMachine, givenMachine } from './given-machine.ts';
import { namespaceNotes } from './namespaces.ts';
import { lacksNode, nodeNotes } from './node.ts';
import { makerNotes } from './not-played.ts';
import { ownerNotes } from './owners.ts';
import { volumeNotes } from './volumes.ts';
import { webhookNotes } from './webhooks.ts';

const about: readonly ((view: GivenMachine) => string[])[] = [
  nodeNotes,
  ownerNotes,
  volumeNotes,
  namespaceNotes,
  webhookNotes,
  makerNotes,
];

/** What was not given, or is not played, and would change the answer for these Machines; one line each, for people. */
export function givenNotes(given: Given, names: readonly ClusterName[] | undefined): string[] {
  const views = chosenMachines(given.management, names).map((machine) => givenMachine(machine, given));
  const absent = new Set(views.flatMap((view) => absentKinds(view, lacksNode(view))));
  const notes = about.flatMap((notesOn) => views.flatMap(notesOn));
  return [...new Set(notes), ...(absent.size > 0 ? [sayAbsent([...absent])] : [])];
}
