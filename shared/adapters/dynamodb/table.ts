import type { CreateTableCommandInput, TimeToLiveSpecification } from '@aws-sdk/client-dynamodb';

export const dueIndex = 'due';

/** The table, in DynamoDB's own words, as CreateTable and infrastructure code take it. The name is the user's. */
export const tableDefinition = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'dueShard', AttributeType: 'S' },
    { AttributeName: 'dueAt', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  // Only looks have the index's attributes, so it holds nothing else. The table keeps the index itself: a
  // crash leaves no difference between the two, as between two items.
  GlobalSecondaryIndexes: [
    {
      IndexName: dueIndex,
      KeySchema: [
        { AttributeName: 'dueShard', KeyType: 'HASH' },
        { AttributeName: 'dueAt', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} satisfies Omit<CreateTableCommandInput, 'TableName'>;

export const timeToLive = { AttributeName: 'expires', Enabled: true } satisfies TimeToLiveSpecification;

/** What is in the table. Times are milliseconds since the epoch, except `expires`: seconds, as DynamoDB wants it. */
export const itemKinds = [
  {
    kind: 'pod',
    pk: 'machine#<uid>',
    sk: 'pod#<pod uid>',
    holds: 'attempts to evict one Pod, and their outcome',
  },
  {
    kind: 'look',
    pk: 'machine#<uid>',
    sk: 'due',
    holds:
      'when to look at the Machine next (in the index `due`), which instance takes a step of it, and what is no news',
  },
  { kind: 'history', pk: 'machine#<uid>', sk: 'history#<id>', holds: 'who decided what, why and when' },
  ...[
    ['name#<namespace>/<name>', 'the Machines that have had this name'],
    ['node#<name>', 'the Machines that have had this Node'],
    ['pod#<namespace>/<name>', 'the Machines that a Pod of this name was to leave'],
    ['day#<yyyy-mm-dd>#<shard>', 'the Machines that something was decided for on this day, in UTC'],
  ].map(([pk = '', holds = '']) => ({ kind: 'pointer', pk, sk: 'machine#<uid>', holds })),
] as const;
