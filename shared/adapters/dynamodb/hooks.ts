import { type AttributeValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hookStates } from '../../machine/hook-call.ts';
import { type GivenUpCall, type HeardAnswer, type HookRecord, turnKey } from '../../machine/hook-record.ts';
import { expiryOf, hookRecordRetentionSeconds } from '../../store/retention.ts';
import {
  hookKey,
  hookPrefix,
  type Item,
  map,
  message,
  number,
  numberOf,
  text,
  textOf,
} from './attributes.ts';
import { type Connection, itemsOf } from './connection.ts';

/** Adds what is new to the record of a turn. Each has an attribute of its own, and Done has one, too. */
export async function recordTurn(
  connection: Connection,
  machineUid: string,
  record: HookRecord,
): Promise<void> {
  const { askedAt, answer, givenUp } = record;
  const key = hookKey(machineUid, turnKey(record));
  if (askedAt !== undefined) {
    const condition = 'attribute_not_exists(askedAt) OR askedAt < :value';
    await set(connection, key, { update: 'askedAt = :value', value: number(askedAt), condition });
  }
  if (givenUp !== undefined)
    await set(connection, key, { update: 'givenUp = :value', value: toGivenUpAttribute(givenUp) });
  if (answer === undefined) return;
  const update = answer.state === 'Done' ? 'done = :value' : 'answer = :value';
  await set(connection, key, { update, value: toAnswerAttribute(answer) });
}

interface Change {
  update: string;
  value: AttributeValue;
  /** Where it does not hold, what is there already says more. */
  condition?: string;
}

async function set(connection: Connection, key: Item, { update, value, condition }: Change): Promise<void> {
  await connection.write(
    new UpdateItemCommand({
      TableName: connection.table,
      Key: key,
      UpdateExpression: `SET expires = :expires, ${update}`,
      ...(condition !== undefined && { ConditionExpression: condition }),
      ExpressionAttributeValues: {
        ':expires': number(expiryOf(connection.clock.now(), hookRecordRetentionSeconds)),
        ':value': value,
      },
    }),
  );
}

export async function turnsOf(connection: Connection, machineUid: string): Promise<HookRecord[]> {
  const items = await itemsOf(connection, machineUid, hookPrefix);
  return items.map(fromTurnItem).filter((record) => record !== undefined);
}

const toAnswerAttribute = ({ state, message: words, at, retryAfterSeconds }: HeardAnswer): AttributeValue =>
  map({
    said: text(state),
    at: number(at),
    ...(words !== undefined && { message: message(words) }),
    ...(retryAfterSeconds !== undefined && { retryAfter: number(retryAfterSeconds) }),
  });

const toGivenUpAttribute = ({ at, status }: GivenUpCall): AttributeValue =>
  map({ at: number(at), ...(status !== undefined && { status: number(status) }) });

/** Undefined for an item that is no record of a turn as this version writes them. */
function fromTurnItem(item: Item): HookRecord | undefined {
  const [hook = '', begin = ''] = textOf(item['sk'])?.slice(hookPrefix.length).split('#') ?? [];
  if (hook === '' || begin === '') return undefined;
  const askedAt = numberOf(item['askedAt']);
  const answer = answerIn(item['done']) ?? answerIn(item['answer']);
  const givenUp = givenUpIn(item['givenUp']);
  return {
    hook,
    begin: Number(begin),
    ...(askedAt !== undefined && { askedAt }),
    ...(answer !== undefined && { answer }),
    ...(givenUp !== undefined && { givenUp }),
  };
}

function givenUpIn(attribute: AttributeValue | undefined): GivenUpCall | undefined {
  const at = numberOf(attribute?.M?.['at']);
  const status = numberOf(attribute?.M?.['status']);
  return at === undefined ? undefined : { at, ...(status !== undefined && { status }) };
}

function answerIn(attribute: AttributeValue | undefined): HeardAnswer | undefined {
  const answer = attribute?.M;
  const state = hookStates.find((known) => known === textOf(answer?.['said']));
  const at = numberOf(answer?.['at']);
  if (state === undefined || at === undefined) return undefined;
  const words = textOf(answer?.['message']);
  const retryAfterSeconds = numberOf(answer?.['retryAfter']);
  return {
    state,
    at,
    ...(words !== undefined && { message: words }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
