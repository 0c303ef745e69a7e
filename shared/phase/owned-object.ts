import type { DeleteOutcome, Key, Resource } from '../kubernetes/client.ts';
import { reworded, Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { ObjectRef } from '../machine/machine.ts';
import { isSomebodyElses } from '../machine/owner.ts';
import type { Reason } from '../machine/reason.ts';
import type { Conclusion, Decision, WaitsFor } from './decision.ts';
import { internalError, retrySoon } from './time-limit.ts';

/** What was seen of an object that a Machine refers to and that goes with it. */
export type ReferredSeen =
  /** The Machine refers to none. */
  | { kind: 'none' }
  | { kind: 'absent'; ref: ObjectRef }
  | {
      kind: 'present';
      ref: ObjectRef;
      resource: Resource;
      key: Key;
      object: KubeObject;
      deletion: DeleteOutcome | undefined;
    };

/** Objects with finalizers may take minutes. A watch shows their end, and this time covers a lost watch. */
const requeueAfterSeconds = 20;

/**
 * Deletes the object once and waits until it is gone. It is gone when the API says so, never because it could not
 * be read. Rules and texts are those of Cluster API's infrastructure and bootstrap steps.
 */
export function decideReferred(seen: ReferredSeen, reason: Reason): Decision {
  if (seen.kind === 'none')
    return { kind: 'advance', passing: 'done', message: 'the Machine refers to none' };
  const { kind } = seen.ref;
  if (seen.kind === 'absent')
    return { kind: 'advance', passing: 'done', message: `${kind} has been deleted` };
  if (seen.deletion?.kind === 'refused') return refused(kind, seen.deletion.message);
  const report = { reason, message: `Waiting for ${kind} to be deleted` };
  const { resource, key, object } = seen;
  const uid = object.metadata.uid ?? '';
  if (object.metadata.deletionTimestamp === undefined && seen.deletion === undefined) {
    return {
      kind: 'act',
      effects: [{ kind: 'delete', side: 'management', resource, key, uid, what: kind }],
      report,
    };
  }
  const resourceVersion = object.metadata.resourceVersion ?? '';
  const gone: WaitsFor = { kind: 'object-gone', side: 'management', resource, key, uid, resourceVersion };
  return { kind: 'wait', until: [gone], report, requeueAfterSeconds };
}

function refused(kind: string, why: string): Conclusion {
  const message = `Failed to delete ${kind}, please check controller logs for errors`;
  return retrySoon(internalError(why, message));
}

/** The message for an object whose delete could not be sent, or got no answer. */
const notDeleted = (why: string): string => `${deleting}${why}`;
const deleting = 'failed to delete: ';

/** An object that could not be read is neither there nor gone. Deletes nothing, and looks again. */
export function blindToReferred(ref: ObjectRef | undefined, reason: Reason, why: string): Conclusion {
  const kind = ref?.kind ?? 'object';
  if (why.startsWith(deleting)) return refused(kind, why);
  const waiting = `Waiting for ${kind} to be deleted`;
  // That may last for ever, so not only the log has it.
  const message = isSomebodyElses(why) ? `${waiting}: ${why}` : waiting;
  return retrySoon({ reason, message, error: why });
}

/** Rethrows why an object could not be deleted. A wait would claim that its deletion was requested. */
export function notAskedToGo(error: unknown): never {
  if (!(error instanceof Unavailable)) throw error;
  throw reworded(error, notDeleted);
}
