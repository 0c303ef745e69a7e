import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import type { Item } from '../../../shared/adapters/dynamodb/attributes.ts';

export interface AnyCommand {
  send: 'put' | 'update' | 'delete' | 'query' | 'transact';
  input: {
    /** Put together. */
    Items?: Item[];
    Item?: Item;
    Key?: Item;
    IndexName?: string;
    Limit?: number;
    ConditionExpression?: string;
    UpdateExpression?: string;
    KeyConditionExpression?: string;
    ReturnValues?: 'ALL_OLD';
    ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
    ExpressionAttributeValues?: Item;
    ExpressionAttributeNames?: Record<string, string>;
  };
}

/** A command on the items of one run, which share the table with those of all others. */
type OfRun = (run: string) => AnyCommand;

const sortKeys = ['due', 'pod#1', 'pod#10', 'pod#é', 'pod#🚰', 'pod#\uffee'];
const number = (value: number): AttributeValue => ({ N: String(value) });

/** No two items have the same time, since DynamoDB promises no order for such. */
const aTime = (key: string): fc.Arbitrary<AttributeValue> =>
  fc.integer({ min: 0, max: 3 }).map((time) => number(time * sortKeys.length + sortKeys.indexOf(key)));

const anItem = fc.constantFrom(...sortKeys).chain((sk) =>
  fc.record(
    {
      sk: fc.constant({ S: sk }),
      isDue: fc.boolean(),
      dueAt: fc.oneof(
        { weight: 9, arbitrary: aTime(sk) },
        { weight: 1, arbitrary: fc.constant({ S: 'soon' }) },
      ),
      expires: fc.constantFrom<AttributeValue>(number(3), number(-1), number(1.5), { S: '3' }),
      attempts: fc.constantFrom<AttributeValue>(
        number(2),
        { S: '' },
        { N: 'NaN' },
        { M: { inner: { S: 'text' } } },
        { SS: ['a', 'c'] },
        { SS: [] },
        { SS: ['a', 'a'] },
      ),
    },
    { requiredKeys: ['sk', 'isDue'] },
  ),
);

const keyOf = (run: string, sk: AttributeValue): Item => ({ pk: { S: `machine#${run}` }, sk });

/** Their values are the same, so that none is left out or one too many. */
const conditions = [
  'attribute_not_exists(pk) OR expires >= :two',
  'attribute_exists(expires) AND expires <= :two',
  'attribute_not_exists(expires) OR expires > :two AND attribute_exists(attempts)',
  'expires < :two OR refused = :two',
  'expires BETWEEN :two AND :two',
  'begins_with(expires, :two)',
];
const updates = [
  'SET attempts = :two REMOVE expires',
  'SET attempts = if_not_exists(attempts, :two), expires = :two',
  'SET attempts = expires, expires = :two',
  'REMOVE attempts ADD expires :two',
  'ADD attempts :two, #name :two',
  'SET dueAt = :two',
  'SET sk = :two',
  'SET expires = :two ADD expires :two',
];

const values = { ':two': number(2) };
const returningOld = { ReturnValues: 'ALL_OLD', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const aCondition = fc.tuple(
  fc.option(fc.constantFrom(...conditions), { nil: undefined }),
  fc.constantFrom({}, returningOld),
);
const conditional = ([condition, returning]: [
  string | undefined,
  AnyCommand['input'],
]): AnyCommand['input'] =>
  condition === undefined
    ? returning
    : { ConditionExpression: condition, ExpressionAttributeValues: values, ...returning };

const aPut = fc.tuple(anItem, aCondition).map(
  ([{ sk, isDue, ...rest }, condition]): OfRun =>
    (run) => {
      const due = isDue ? { dueShard: { S: `due#${run}` } } : {};
      return {
        send: 'put',
        input: { Item: { ...keyOf(run, sk), ...due, ...rest }, ...conditional(condition) },
      };
    },
);

const aDelete = fc.tuple(fc.constantFrom(...sortKeys, ''), aCondition).map(
  ([sk, condition]): OfRun =>
    (run) => ({ send: 'delete', input: { Key: keyOf(run, { S: sk }), ...conditional(condition) } }),
);

const anUpdate = fc.tuple(fc.constantFrom(...sortKeys), fc.constantFrom(...updates), aCondition).map(
  ([sk, update, condition]): OfRun =>
    (run) => {
      const names = update.includes('#name') ? { ExpressionAttributeNames: { '#name': 'refused' } } : {};
      const input = { Key: keyOf(run, { S: sk }), UpdateExpression: update, ...names };
      return {
        send: 'update',
        input: { ...input, ...conditional(condition), ExpressionAttributeValues: values },
      };
    },
);

/** No condition compares a set. */
const anAddition = fc.constantFrom(...sortKeys).map(
  (sk): OfRun =>
    (run) => ({
      send: 'update',
      input: {
        Key: keyOf(run, { S: sk }),
        UpdateExpression: 'ADD attempts :two',
        ExpressionAttributeValues: { ':two': { SS: ['b', 'c'] } },
        ...returningOld,
      },
    }),
);

/** Some with one key twice, or with an attribute that may not be written. */
const aTransaction = fc.array(aPut, { minLength: 1, maxLength: 3 }).map(
  (puts): OfRun =>
    (run) => ({
      send: 'transact',
      input: { Items: puts.map((put) => put(run).input.Item ?? {}) },
    }),
);

/** With a value that no expression speaks of, or without the one that they do. */
const aWrongOne = fc.tuple(aPut, fc.boolean()).map(
  ([put, isTooMany]): OfRun =>
    (run) => {
      const { send, input } = put(run);
      const given = isTooMany ? { ':two': number(2), ':three': number(3) } : { ':three': number(3) };
      const ConditionExpression = 'expires > :two';
      return { send, input: { ...input, ConditionExpression, ExpressionAttributeValues: given } };
    },
);

export const aCommand = fc.oneof(
  { weight: 5, arbitrary: aPut },
  { weight: 5, arbitrary: anUpdate },
  { weight: 2, arbitrary: anAddition },
  { weight: 2, arbitrary: aDelete },
  { weight: 2, arbitrary: aTransaction },
  { weight: 1, arbitrary: aWrongOne },
);

const queries: ((run: string) => AnyCommand['input'])[] = [
  (run) => ({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': { S: `machine#${run}` }, ':prefix': { S: 'pod#1' } },
  }),
  (run) => ({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: `machine#${run}` } },
  }),
  (run) => dueBetween(run, number(3), number(14)),
  (run) => dueBetween(run, number(14), number(3)),
  (run) => dueBetween(run, { S: '3' }, number(14)),
  (run) => ({ ...dueBetween(run, number(3), number(14)), IndexName: 'overdue' }),
];

const dueBetween = (run: string, from: AttributeValue, to: AttributeValue): AnyCommand['input'] => ({
  IndexName: 'due',
  KeyConditionExpression: 'dueShard = :shard AND dueAt BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':shard': { S: `due#${run}` }, ':from': from, ':to': to },
});

export const aQuery = fc.tuple(fc.constantFrom(...queries), fc.option(fc.integer({ min: 0, max: 4 }))).map(
  ([query, limit]): OfRun =>
    (run) => ({ send: 'query', input: { ...query(run), ...(limit === null ? {} : { Limit: limit }) } }),
);
