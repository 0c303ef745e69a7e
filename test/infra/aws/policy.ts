import { readFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

const oneOrMany = z.union([z.string(), z.array(z.string())]).transform((said) => [said].flat());

const policySchema = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.array(
    z.strictObject({ Sid: z.string(), Effect: z.literal('Allow'), Action: oneOrMany, Resource: oneOrMany }),
  ),
});

/** What a policy of `infra/aws` allows, as `action resource`, sorted. */
export function allowedBy(file: string): string[] {
  const text = readFileSync(new URL(`../../../infra/aws/${file}`, import.meta.url), 'utf8');
  const { Statement } = policySchema.parse(JSON.parse(text));
  const pairs = Statement.flatMap(({ Action, Resource }) =>
    Action.flatMap((action) => Resource.map((resource) => `${action} ${resource}`)),
  );
  return pairs.toSorted();
}

/**
 * The action of IAM that a command needs: nearly all are called as the commands are. A transaction needs what its parts
 * need, and the stores of the tests refuse all but Puts in one.
 */
export const actionOf = (command: string): string =>
  `dynamodb:${command === 'TransactWriteItems' ? 'PutItem' : command}`;

/** The permissions that the calls of the client need from now on, in IAM's words. */
export function permissionsOf(client: Pick<DynamoDBClient, 'middlewareStack'>): ReadonlySet<string> {
  const needed = new Set<string>();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (call) => {
        const index = 'IndexName' in call.input ? `/index/${String(call.input.IndexName)}` : '';
        const action = actionOf(commandName.replace(/Command$/, ''));
        needed.add(`${action} arn:aws:dynamodb:*:*:table/phaseout${index}`);
        return next(call);
      },
    { step: 'initialize' },
  );
  return needed;
}
