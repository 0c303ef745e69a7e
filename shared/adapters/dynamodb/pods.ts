import {
  type AttributeValue,
  DeleteItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { forEachLimited } from '../../async/parallel.ts';
import type { EvictionRecord, PodRecord } from '../../drain/pod-record.ts';
import type { RefusalCause } from '../../kubernetes/client.ts';
import type { LastingCause } from '../../machine/lasting-cause.ts';
import type { MachineRef } from '../../machine/machine.ts';
import { podPlace } from '../../store/clue.ts';
import { expiryOf, podRecordRetentionSeconds } from '../../store/retention.ts';
import { type Item, map, message, number, numberOf, podKey, podPrefix, text, textOf } from './attributes.ts';
import { type Connection, itemsOf } from './connection.ts';
import type { Pointers } from './pointers.ts';

/** One update for each Pod, and their pointers together. Attempts at the same Pod follow one another in their order. */
export async function recordAttempts(
  connection: Connection,
  evictions: EvictionRecord[],
  { machine, pointers }: { machine: MachineRef; pointers: Pointers },
): Promise<void> {
  const pods = [...Map.groupBy(evictions, (eviction) => eviction.podUid).values()];
  const recordAll = async (attempts: readonly EvictionRecord[]): Promise<void> => {
    for (const attempt of attempts) await recordAttempt(connection, machine.uid, attempt);
  };
  const writes = [
    ...pods.map((attempts) => () => recordAll(attempts)),
    () => pointers.point(evictions.map(podPlace), machine),
  ];
  await forEachLimited(writes, (write) => write());
}

export async function recordsOf(connection: Connection, machineUid: string): Promise<PodRecord[]> {
  const items = await itemsOf(connection, machineUid, podPrefix);
  return items.map(fromPodItem).filter((record) => record !== undefined);
}

/** A record that has expired and is still there must not lend its counts and outcome to a new one. */
async function recordAttempt(
  connection: Connection,
  machineUid: string,
  attempt: EvictionRecord,
): Promise<void> {
  const key = podKey(machineUid, attempt.podUid);
  if (await addAttempt(connection, key, attempt)) return;
  await removeExpired(connection, key);
  await addAttempt(connection, key, attempt);
}

/** False when there is a record that has expired. */
async function addAttempt(connection: Connection, key: Item, attempt: EvictionRecord): Promise<boolean> {
  const command = new UpdateItemCommand({
    TableName: connection.table,
    Key: key,
    ...attemptExpression(attempt),
    ConditionExpression: 'attribute_not_exists(expires) OR expires > :nowSeconds',
    ExpressionAttributeValues: {
      ...attemptValues(attempt),
      ':expires': number(expiryOf(connection.clock.now(), podRecordRetentionSeconds)),
      ':nowSeconds': number(connection.clock.now() / 1000),
    },
  });
  return (await connection.write(command)).isMet;
}

async function removeExpired(connection: Connection, key: Item): Promise<void> {
  const command = new DeleteItemCommand({
    TableName: connection.table,
    Key: key,
    ConditionExpression: 'expires <= :nowSeconds',
    ExpressionAttributeValues: { ':nowSeconds': number(connection.clock.now() / 1000) },
  });
  await connection.write(command);
}

/**
 * DynamoDB itself adds to the counts, so that none is lost between concurrent writers. A call that was sent again
 * because its answer was lost may count twice. `refused` is only ever the first outcome.
 */
function attemptExpression(
  attempt: EvictionRecord,
): Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames'> {
  const sets = [
    'podNamespace = :namespace',
    'podName = :name',
    'firstAttempt = if_not_exists(firstAttempt, :at)',
    'lastAttempt = :at',
    'expires = :expires',
    attempt.outcome === 'refused' ? 'outcome = if_not_exists(outcome, :outcome)' : 'outcome = :outcome',
  ];
  if (attempt.refusal !== undefined) sets.push('lastRefusal = :refusal');
  if (attempt.lasting !== undefined) sets.push('lasting = :lasting');
  if (attempt.notBefore !== undefined) sets.push('notBefore = :notBefore');
  const removes = attempt.notBefore === undefined ? ' REMOVE notBefore' : '';
  const update = `SET ${sets.join(', ')}${removes} ADD attempts :one`;
  if (attempt.refusal === undefined) return { UpdateExpression: update };
  return {
    UpdateExpression: `${update}, #refused :one`,
    ExpressionAttributeNames: { '#refused': refusalCountName(attempt.refusal.cause) },
  };
}

const attemptValues = (attempt: EvictionRecord): Item => ({
  ':namespace': text(attempt.namespace),
  ':name': text(attempt.name),
  ':at': number(attempt.at),
  ':outcome': text(attempt.outcome),
  ':one': number(1),
  ...(attempt.refusal === undefined ? {} : { ':refusal': toRefusalAttribute(attempt.refusal) }),
  ...(attempt.lasting === undefined ? {} : { ':lasting': toLastingAttribute(attempt.lasting) }),
  ...(attempt.notBefore === undefined ? {} : { ':notBefore': number(attempt.notBefore) }),
});

type Refusal = NonNullable<PodRecord['lastRefusal']>;

/** Each cause has a counter of its own on the item. DynamoDB adds to a number in a map only if the map exists. */
const refusalCountName = (cause: RefusalCause): string => `refused${cause}`;

const toRefusalAttribute = (refusal: Refusal): AttributeValue =>
  map({
    cause: text(refusal.cause),
    text: message(refusal.text),
    ...(refusal.budget === undefined ? {} : { budget: text(refusal.budget) }),
  });

const toLastingAttribute = ({ cause, since }: LastingCause): AttributeValue =>
  map({ cause: text(cause), since: number(since) });

/** Undefined for an item that is not a Pod's record as this version writes them. */
function fromPodItem(item: Item): PodRecord | undefined {
  const podUid = textOf(item['sk'])?.slice(podPrefix.length);
  const attempts = numberOf(item['attempts']);
  const firstAttempt = numberOf(item['firstAttempt']);
  const lastAttempt = numberOf(item['lastAttempt']);
  const notBefore = numberOf(item['notBefore']);
  const outcome = outcomes.find((known) => known === textOf(item['outcome']));
  if (podUid === undefined || attempts === undefined || outcome === undefined) return undefined;
  if (firstAttempt === undefined || lastAttempt === undefined) return undefined;
  return {
    podUid,
    namespace: textOf(item['podNamespace']) ?? '',
    name: textOf(item['podName']) ?? '',
    attempts,
    refusals: refusalsOf(item),
    firstAttempt,
    lastAttempt,
    outcome,
    ...lastRefusalOf(item),
    ...lastingOf(item),
    ...(notBefore !== undefined && { notBefore }),
  };
}

const outcomes = ['accepted', 'gone', 'refused'] as const satisfies PodRecord['outcome'][];

function refusalsOf(item: Item): PodRecord['refusals'] {
  const refusals: PodRecord['refusals'] = {};
  for (const cause of refusalCauses) {
    const count = numberOf(item[refusalCountName(cause)]);
    if (count !== undefined) refusals[cause] = count;
  }
  return refusals;
}

function lastRefusalOf(item: Item): { lastRefusal?: Refusal } {
  const attributes = item['lastRefusal']?.M;
  if (attributes === undefined) return {};
  const cause = refusalCauses.find((known) => known === textOf(attributes['cause'])) ?? 'Failed';
  const budget = textOf(attributes['budget']);
  const refusal = { cause, text: textOf(attributes['text']) ?? '' };
  return { lastRefusal: budget === undefined ? refusal : { ...refusal, budget } };
}

/** None for a cause that this version does not know: it counts from the next refusal. */
function lastingOf(item: Item): { lasting?: LastingCause } {
  const attributes = item['lasting']?.M ?? {};
  const cause = refusalCauses.find((known) => known === textOf(attributes['cause']));
  const since = numberOf(attributes['since']);
  return cause === undefined || since === undefined ? {} : { lasting: { cause, since } };
}

// A record and not a list, so that a cause added to the type cannot be forgotten here.
const causes: Record<RefusalCause, true> = {
  BudgetExhausted: true,
  BudgetNeverAllows: true,
  BudgetHeldByOperator: true,
  BudgetNotObserved: true,
  MultipleBudgets: true,
  NamespaceTerminating: true,
  AdmissionWebhook: true,
  Throttled: true,
  NotAttempted: true,
  Failed: true,
};

const isRefusalCause = (name: string): name is RefusalCause => Object.hasOwn(causes, name);
const refusalCauses = Object.keys(causes).filter(isRefusalCause);
