import { isOwnNodeShown, ownerReason } from '../dialects/own-node-condition.ts';
import type { Place } from '../dialects/status-input.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { type Phase, reasonsOf } from '../machine/phase.ts';
import { type Report, warning } from '../machine/report.ts';
import { observeOwnNode } from '../observe/node.ts';
import { observeReferred, sightInfrastructure } from '../observe/owned-object.ts';
import { withFoundNode } from '../phase/snapshot.ts';
import { saveStatus } from '../write/status.ts';
import { type Step, statusInput } from './step.ts';

/** The phases that are passed over for the Node of another server. */
const passedOver: readonly Phase[] = ['drain', 'volume-detach', 'node'];

/**
 * Reports once, by an Event and a line of the log, that the Machine names another server's Node. Beside the API's own
 * controller it also reports an unknown owner. Call it when the Machine was written; the condition is written with
 * the status. Undefined if it is no news.
 */
export function reportOfAnotherNode({ env, arrived, snapshot, journal }: Step): (() => void) | undefined {
  const { ownership } = snapshot.observed;
  const { machine, dialect } = arrived.subject;
  if (ownership === undefined || ownership.kind === 'own' || isOwnNodeShown(machine.raw, ownership))
    return undefined;
  // Elsewhere the failure of its drain reports that.
  if (ownership.kind === 'unknown' && dialect.beside === undefined) return undefined;
  return () => {
    env.log.warn(logged[ownership.kind], { why: ownership.why });
    journal.events.push(warning(ownerReason[ownership.kind], ownership.why));
  };
}

const logged = {
  another: 'Node belongs to another server',
  unknown: "Whether the Node is the Machine's own is unknown",
} as const;

/**
 * The same before the Machine is handed on: a phase that ends writes no status of its own. False if the Machine has
 * changed or gone meanwhile.
 */
export async function writeAnotherNode(step: Step): Promise<boolean> {
  const report = reportOfAnotherNode(step);
  if (report === undefined) return true;
  const { env, arrived } = step;
  const saved = await saveStatus(env, arrived.subject, statusInput(step, reportOf(step)));
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  step.onSaved.push(report);
  return true;
}

/** Nothing was tried, so no time limit begins with it. */
function reportOf({ arrived, snapshot }: Step): Report | undefined {
  const { ownership } = snapshot.observed;
  const { phase } = arrived.subject.checkpoint;
  if (!passedOver.includes(phase) || ownership?.kind !== 'another') return undefined;
  return { reason: reasonsOf(phase)[0], message: ownership.why, isUndecided: true };
}

/** Reads what the status needs and the step has not seen. What cannot be read stays unseen. */
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

/** Phases that do not touch the Node have not searched for one that the Machine does not name. */
async function seeNode({ arrived, snapshot }: Step): Promise<void> {
  if (arrived.subject.nodeSearch?.kind === 'unread') return;
  const found = await snapshot.nodeFinder.find();
  arrived.subject = withFoundNode(arrived.subject, found);
  if (found.kind === 'none') snapshot.observed.node = { kind: 'absent' };
  else await observeOwnNode(snapshot, arrived.subject);
}
