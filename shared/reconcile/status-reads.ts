import type { Place } from '../dialects/dialect.ts';
import { withFoundNode } from '../phase/found-node.ts';
import { observeOwnNode } from '../observe/node.ts';
import { observeReferred, sightInfrastructure } from '../observe/owned-object.ts';
import { statusInput, type Turn } from './step.ts';
import type { Report } from '../machine/report.ts';
import { CouldNotLook } from '../kubernetes/errors.ts';

/** Looks at what the status to be written should know of and the step has not seen. What cannot be read stays so. */
export async function seeTheRest(turn: Turn, report: Report): Promise<void> {
  const { subject } = turn.arrived;
  const places = subject.dialect.worthSeeing(statusInput(turn, report), report);
  const unseen = places.filter((place) => turn.look.sightings[place].kind === 'unseen');
  await Promise.all(unseen.map((place) => see(turn, place)));
}

async function see(turn: Turn, place: Place): Promise<void> {
  const { machine } = turn.arrived.subject;
  try {
    if (place === 'infrastructure') await sightInfrastructure(turn.look, machine);
    else if (place === 'bootstrap') await observeReferred(turn.look, machine, 'bootstrap');
    else await seeNode(turn);
  } catch (error) {
    if (!(error instanceof CouldNotLook)) throw error;
  }
}

/** Phases that do not touch the Node have not looked for one that the Machine does not name. */
async function seeNode({ arrived, look }: Turn): Promise<void> {
  const found = await look.nodeFinder.find();
  arrived.subject = withFoundNode(arrived.subject, found);
  if (found.kind === 'none') look.sightings.node = { kind: 'absent' };
  else await observeOwnNode(look, arrived.subject);
}
