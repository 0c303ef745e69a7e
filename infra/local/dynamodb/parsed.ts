import * as z from 'zod';
import { invalid, type Refusal, unsupported } from './refusal.ts';
import { itemOf } from './value.ts';

/** The fields of a command, which are all that is understood of it. Throws for any other one. */
export function parsed<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  throw refusalOf(result.error);
}

function refusalOf({ issues: [issue] }: z.ZodError): Refusal {
  if (issue === undefined) return invalid('The command cannot be read');
  if (issue.code === 'custom') return invalid(issue.message);
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const within = path === '' ? '' : ` of ${path}`;
    return unsupported(`the field ${issue.keys.join(', ')}${within} here`);
  }
  return invalid(`One or more parameter values were invalid: ${path}: ${issue.message}`);
}

const names = z.record(z.string().regex(/^#\w+$/, 'a placeholder of a name is # and a word'), z.string());

/** The values of these fields are read by `itemOf`, which throws what DynamoDB answers. */
export const itemField = z.unknown().transform((sent) => itemOf(sent));

export const tableName = z
  .string()
  .refine((name) => /^[a-zA-Z0-9_.-]*$/.test(name), 'TableName must satisfy the pattern: [a-zA-Z0-9_.-]+')
  .refine(
    ({ length }) => length >= 3 && length <= 255,
    'TableName must be at least 3 characters long and at most 255 characters long',
  );

export const placeholders = {
  ExpressionAttributeNames: names.optional(),
  ExpressionAttributeValues: itemField.optional(),
};
