import { ownerReason } from '../dialects/conditions.ts';
import { warning } from '../machine/report.ts';
import type { Decision } from './decision.ts';

/** Mostly an event of the Machine ends it. Its Node, or another Machine, may change as well. */
const requeueAfterSeconds = 60;

/** Beside the API's own controller such a Machine is held: that one would go by the name of the Node. No time limit ends it. */
export const heldFor = ({
  kind,
  why,
}: {
  kind: keyof typeof ownerReason;
  why: string;
}): Decision & { kind: 'wait' } => ({
  kind: 'wait',
  until: [],
  report: { reason: ownerReason[kind], message: why, isHeldUp: true, isUndecided: true },
  requeueAfterSeconds,
  // Told again while it lasts.
  events: [warning(ownerReason[kind], why)],
});
