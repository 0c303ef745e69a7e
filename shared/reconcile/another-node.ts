import { conditionsFrom, isOwnNodeShown, ownerReason } from '../dialects/conditions.ts';
import { recordAt } from '../dialects/fields.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';
import { type Report, warning } from '../machine/report.ts';
import { saveStatus } from '../write/status.ts';
import { type Step, statusInput } from './step.ts';

const reasons: Partial<Record<Phase, Reason>> = {
  drain: 'DrainingNode',
  'volume-detach': 'WaitingForVolumeDetach',
  node: 'DeletingNode',
};

/**
 * What tells, once, that the Machine names another server's Node: an Event and a line of the log. Beside the API's own
 * controller it also tells that the owner is unknown. It is called when the Machine was written; the condition is written with
 * the status. Undefined where it is no news.
 */
export function reportOfAnotherNode({ env, arrived, snapshot, journal }: Step): (() => void) | undefined {
  const { ownership } = snapshot.observed;
  const { machine, dialect } = arrived.subject;
  if (ownership === undefined || ownership.kind === 'own' || isShown(machine, ownership)) return undefined;
  // The failure of its drain tells that elsewhere.
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
 * The same before the Machine is handed on: a phase that ends writes no status of its own. False when the Machine has
 * changed or gone meanwhile.
 */
export async function writeAnotherNode(step: Step): Promise<boolean> {
  const tell = reportOfAnotherNode(step);
  if (tell === undefined) return true;
  const { env, arrived } = step;
  const saved = await saveStatus(env, arrived.subject, statusInput(step, reportOf(step)));
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  step.onSaved.push(tell);
  return true;
}

/** Nothing has been tried: no time limit begins with it. */
function reportOf({ arrived, snapshot }: Step): Report | undefined {
  const { ownership } = snapshot.observed;
  const reason = reasons[arrived.subject.checkpoint.phase];
  if (reason === undefined || ownership?.kind !== 'another') return undefined;
  return { reason, message: ownership.why, isUndecided: true };
}

/** In the form of either Machine API. */
function isShown({ raw }: Machine, whose: Parameters<typeof isOwnNodeShown>[1]): boolean {
  const places = [recordAt(raw, 'status'), recordAt(raw, 'status', 'v1beta2')];
  return places.some(({ conditions }) => isOwnNodeShown(conditionsFrom(conditions), whose));
}
