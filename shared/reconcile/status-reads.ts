import type { Place } from '../dialects/status-input.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Report } from '../machine/report.ts';
import { observeOwnNode } from '../observe/node.ts';
import { observeReferred, sightInfrastructure } from '../observe/owned-object.ts';
import { withFoundNode } from '../phase/found-node.ts';
import { type Step, statusInput } from './step.ts';

/** Looks at what the status to be written should know of and the step has not seen. What cannot be read stays so. */
export async function readForStatus(step: Step, report: Report): Promise<void> {
  const { subject } = step.arrived;
  const places = subject.dialect.worthSeeing(statusInput(step, report), report);
  const unseen = places.filter((place) => step.snapshot.observed[place].kind === 'unseen');
  await Promise.all(unseen.map((place) => see(step, place)));
}

async function see(step: Step, place: Place): Promise<void> {
  const { machine } = step.arrived.subject;
  try {
    if (place === 'infrastructure') await sightInfrastructure(step.snapshot, machine);
    else if (place === 'bootstrap') await observeReferred(step.snapshot, machine, 'bootstrap');
    else await seeNode(step);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

/** Phases that do not touch the Node have not looked for one that the Machine does not name. */
async function seeNode({ arrived, snapshot }: Step): Promise<void> {
  if (arrived.subject.nodeSearch?.kind === 'unread') return;
  const found = await snapshot.nodeFinder.find();
  arrived.subject = withFoundNode(arrived.subject, found);
  if (found.kind === 'none') snapshot.observed.node = { kind: 'absent' };
  else await observeOwnNode(snapshot, arrived.subject);
}
