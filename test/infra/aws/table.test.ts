import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { tableDefinition, timeToLive } from '../../../shared/adapters/dynamodb/table.ts';

const text = readFileSync(new URL('../../../infra/aws/table.yaml', import.meta.url), 'utf8');
const template = z
  .object({
    Conditions: z.unknown(),
    Parameters: z.record(z.string(), z.looseObject({ Default: z.string() })),
    Resources: z.strictObject({
      Table: z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) }),
    }),
  })
  .parse(parse(text));
const { Table } = template.Resources;

const protections = {
  TableName: { Ref: 'TableName' },
  DeletionProtectionEnabled: { Ref: 'DeletionProtection' },
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: { Ref: 'PointInTimeRecovery' } },
  SSESpecification: {
    'Fn::If': [
      'HasKey',
      { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: { Ref: 'KeyArn' } },
      { Ref: 'AWS::NoValue' },
    ],
  },
};

test('the template makes the table that the set-up makes, and protects it', () => {
  expect(Table.Properties).toStrictEqual({
    ...tableDefinition,
    TimeToLiveSpecification: timeToLive,
    ...protections,
  });
});

test('a key is used where one is named', () => {
  expect(template.Conditions).toEqual({
    HasKey: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'KeyArn' }, ''] }] },
  });
});

test('it is a table, which outlives its stack', () => {
  expect(Table).toMatchObject({
    Type: 'AWS::DynamoDB::Table',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
  });
});

test('by default it has the name that the functions look for, is protected and has no key of its own', () => {
  const defaults = Object.entries(template.Parameters).map(([name, { Default }]) => [name, Default]);
  expect(Object.fromEntries(defaults)).toEqual({
    TableName: 'phaseout',
    DeletionProtection: 'true',
    PointInTimeRecovery: 'true',
    KeyArn: '',
  });
});
