import { createHash } from 'node:crypto';
import { keepUnsent, takeUnsent } from '../cache/ledger.ts';
import type { Kubernetes } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { events } from '../kubernetes/resources.ts';
import type { Machine } from '../machine/machine.ts';
import type { MachineEvent } from '../machine/report.ts';
import type { Environment } from '../runtime/environment.ts';
import { lastingText } from '../text/stable-text.ts';
import { rfc3339Seconds } from '../time/clock.ts';

/** The Machine of the Events, and where its deletion stands. */
interface About {
  machine: Machine;
  checkpoint: { seq: number };
}

/**
 * Writes Kubernetes Events one after the other. Their times are whole seconds, so only the order of creation shows
 * what came first. The name is made from the event, so the API server refuses a repeat as existing. It also refuses
 * an error that differs from an earlier one only in numbers and IDs. A failed Event never blocks a deletion. Returns
 * false if a retry may help. Keeps forbidden Events, and tries them again now and then.
 */
export async function writeEvents(
  env: Environment,
  subject: About,
  toWrite: readonly MachineEvent[],
): Promise<boolean> {
  const { uid } = subject.machine.ref;
  const { seq } = subject.checkpoint;
  const forbidden: MachineEvent[] = [];
  let areWritten = true;
  for (const event of once([...takeUnsent(env.cache, uid, seq), ...toWrite])) {
    const fate = await writeEvent(env, subject, event);
    if (fate === 'unknown') areWritten = false;
    if (fate === 'forbidden') forbidden.push(event);
  }
  if (forbidden.length > 0) keepUnsent(env.cache, uid, seq, forbidden);
  return areWritten;
}

/** A step may make the same Event several times. Each repeat would cost a refused request. */
const once = (toWrite: readonly MachineEvent[]): Iterable<MachineEvent> =>
  new Map(toWrite.map((event) => [`${event.reason}|${event.message}`, event])).values();

/** The outcome of one Event. `settled`: nothing more can be done for it. */
type Fate = 'settled' | 'forbidden' | 'unknown';

/** A missing permission, or a policy that forbids the Event. Both may change. */
const mayPass = [403, 422];

/** Writes an Event about an object of the workload cluster, in its namespace there. It is not tried again. */
export async function writeEventThere(
  env: Environment,
  api: Kubernetes,
  { subject, event, namespace }: { subject: About; event: MachineEvent; namespace: string },
): Promise<void> {
  await writeEvent(env, subject, event, { api, namespace });
}

async function writeEvent(
  env: Environment,
  subject: About,
  event: MachineEvent,
  { api, namespace }: { api: Kubernetes; namespace: string } = {
    api: env.management,
    namespace: subject.machine.ref.namespace,
  },
): Promise<Fate> {
  try {
    const outcome = await api.create(
      events,
      eventObject(subject, event, { now: env.clock.now(), namespace }),
    );
    if (outcome.kind !== 'refused') return 'settled';
    env.log.warn('Event was refused', { reason: event.reason, why: outcome.message });
    return mayPass.includes(outcome.code) ? 'forbidden' : 'settled';
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.warn('Event could not be written', { reason: event.reason, why: error.message });
    return 'unknown';
  }
}

/** The API server refuses an Event with a longer name. A Machine's own name may be as long as this. */
const longestName = 253;

/** The part before a dot ends with a letter or a digit. */
const cutName = (name: string, length: number): string => name.slice(0, length).replace(/[-.]+$/, '');

/** OpenShift's controller writes a Normal Event for a failed drain. */
const isOfError = ({ type, reason }: MachineEvent): boolean =>
  type === 'Warning' || reason === 'DrainRequeued';

function eventObject(
  { machine, checkpoint }: About,
  event: MachineEvent,
  { now, namespace }: { now: number; namespace: string },
): KubeObject {
  const message = event.message.slice(0, 1024);
  const what = isOfError(event) ? lastingText(message) : message;
  const identity = `${machine.ref.uid}|${checkpoint.seq}|${event.reason}|${what}`;
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  const { name, uid, apiVersion } = machine.ref;
  const own = { apiVersion, kind: 'Machine', name, uid, resourceVersion: machine.resourceVersion };
  const time = rfc3339Seconds(now);
  const component = event.component ?? 'machine-controller';
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${cutName(name, longestName - hash.length - 1)}.${hash}`, namespace },
    involvedObject: { namespace, ...(event.about ?? own) },
    type: event.type,
    reason: event.reason,
    message,
    source: { component },
    reportingComponent: component,
    reportingInstance: '',
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}
