import * as z from 'zod';
import { hookAnswerType } from '../../events/hook-answer.ts';
import { hookCall } from '../../events/hook-call.ts';
import { keptReading } from '../../shared/async/shared-reads.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { readOr } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { MachineRef } from '../../shared/machine/machine.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { attributesSchema, filterSchema } from '../serverless/filter-schema.ts';
import { type Matcher, matcherOf } from '../serverless/matcher.ts';

/** A Trigger that is made, or corrected, counts within a minute. */
const keptMilliseconds = 60_000;

const triggerSchema = z.object({
  broker: z.string(),
  filter: z.object({ attributes: attributesSchema.default({}) }).exactOptional(),
  filters: z.array(filterSchema).exactOptional(),
});

interface Around {
  management: Pick<Kubernetes, 'list' | 'discover'>;
  clock: Clock;
  /** Of the Triggers; undefined where nothing says it. */
  namespace: string | undefined;
}

/** Whether a Trigger brings the calls of a DeletionHook to anybody; undefined where that cannot be told. */
export type Delivers = (
  hook: { namespace: string; name: string },
  machine: MachineRef,
) => Promise<boolean | undefined>;

/** Judges the Triggers of phaseout's namespace. They are listed once a minute at most, and only when it is asked. */
export function deliversOf({ management, clock, namespace }: Around): Delivers {
  // Without the right to list them nothing follows, and it is not asked for at each look.
  const kept = keptReading(clock, keptMilliseconds, () =>
    readOr(undefined, async () => (namespace === undefined ? undefined : listed(management, namespace))),
  );
  return async (hook, machine) => {
    const triggers = await kept.current();
    return triggers && isDelivered(triggers, attributesOf(hook, machine, clock));
  };
}

async function listed(
  management: Around['management'],
  namespace: string,
): Promise<readonly KubeObject[] | undefined> {
  const resource = await management.discover('eventing.knative.dev', 'Trigger', undefined, 'kept');
  return resource && (await management.list(resource, { namespace })).items;
}

type Attributes = Readonly<Record<string, string>>;

/** A call as the Broker carries it. */
function attributesOf(
  hook: { namespace: string; name: string },
  machine: MachineRef,
  clock: Pick<Clock, 'now'>,
): Attributes {
  const now = clock.now();
  const call = { id: '0', hook, answerTo: '0', place: 'PreDrain', begins: now, attempt: 1 } as const;
  const event = hookCall({ ...call, machine: { ...machine, kind: 'Machine', labels: {} } }, now);
  const texts = Object.entries(event).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

interface Read {
  broker: string;
  matches: Matcher;
}

/** One that cannot be read may deliver. Only the Broker that carries the answers is phaseout's. */
function isDelivered(triggers: readonly KubeObject[], call: Attributes): boolean {
  const read = triggers.map(({ spec }) => readTrigger(spec));
  if (read.includes(undefined)) return true;
  const known = read.filter((each) => each !== undefined);
  const ours = known.filter(({ matches }) => matches({ ...call, type: hookAnswerType }));
  const brokers = new Set(ours.map(({ broker }) => broker));
  return known.some(({ broker, matches }) => (brokers.size === 0 || brokers.has(broker)) && matches(call));
}

function readTrigger(spec: unknown): Read | undefined {
  const { data } = triggerSchema.safeParse(spec);
  if (data === undefined) return undefined;
  const { broker, ...selection } = data;
  return { broker, matches: matcherOf(selection) };
}
