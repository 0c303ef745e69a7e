import * as z from 'zod';
import { parseCesql } from './cesql/parse.ts';
import { CesqlSyntaxError } from './cesql/tokens.ts';
import { issueMessage } from './issue-message.ts';
import type { Filter } from './model.ts';

/** Attribute names as Knative takes them in filters. */
const attributeName = z
  .string()
  .regex(
    /^[a-z][a-z0-9]*$/,
    'attribute names start with a letter and hold only lower-case letters and digits',
  );
/** Attributes of events, each with the value that is asked for. */
export const attributesSchema = z.record(attributeName, z.string());

const cesql = z.string().superRefine((expression, context) => {
  try {
    parseCesql(expression);
  } catch (error) {
    if (!(error instanceof CesqlSyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `not a CESQL expression: ${error.message}` });
  }
});

const nested = z.lazy(() => filterSchema);
const dialects: Readonly<Record<string, z.ZodType<Filter>>> = {
  exact: z.strictObject({ exact: attributesSchema }),
  prefix: z.strictObject({ prefix: attributesSchema }),
  suffix: z.strictObject({ suffix: attributesSchema }),
  any: z.strictObject({ any: z.array(nested).min(1) }),
  all: z.strictObject({ all: z.array(nested).min(1) }),
  not: z.strictObject({ not: nested }),
  cesql: z.strictObject({ cesql }),
};

/**
 * One entry of `filters`: exactly one dialect. The name chooses the dialect, without trying each in turn. So the
 * message names the mistake inside it.
 */
export const filterSchema: z.ZodType<Filter> = z
  .record(z.string(), z.unknown())
  .transform((entry, context): Filter => {
    const [dialect = '', ...others] = Object.keys(entry);
    const schema = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
    if (schema === undefined || others.length > 0) {
      const message = `a filter has exactly one dialect of ${Object.keys(dialects).join(', ')}`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    const parsed = schema.safeParse(entry);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      context.addIssue({ code: 'custom', message: issueMessage(issue), path: [...issue.path] });
    }
    return z.NEVER;
  });
