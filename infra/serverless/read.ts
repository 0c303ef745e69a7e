import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { core } from 'zod';
import { fieldLine } from './field-line.ts';
import { issueMessage } from './issue-message.ts';
import type { ServerlessFile } from './model.ts';
import { resolve } from './resolve.ts';
import { serverlessSchema } from './schema.ts';

export interface Problem {
  /** From 1. */
  line: number;
  /** Dotted path, such as `functions.drain.events.0`; empty for the file as a whole. */
  field: string;
  message: string;
}

export type ServerlessReading =
  | { kind: 'read'; file: ServerlessFile }
  | { kind: 'refused'; problems: Problem[] };

/** Reads the text of a serverless.yml, or says everything that is wrong with it, line by line. */
export function readServerless(text: string): ServerlessReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const { errors } = document;
  if (errors.length > 0)
    return { kind: 'refused', problems: errors.map((error) => unreadable(error, lines)) };

  const parsed = serverlessSchema.safeParse(document.toJS());
  if (parsed.success) return { kind: 'read', file: resolve(parsed.data) };

  const problems = parsed.error.issues.flatMap(fieldsAtFault).map(({ path, message }) => ({
    line: fieldLine(document, lines, path),
    field: path.join('.'),
    message,
  }));
  return { kind: 'refused', problems: problems.toSorted((one, other) => one.line - other.line) };
}

/** The rest of YAML's message is a drawing of the place, which the line already names. */
const unreadable = ({ pos, message }: YAMLError, lines: LineCounter): Problem => ({
  line: lines.linePos(pos[0]).line,
  field: '',
  message: message.split(' at line ')[0] ?? message,
});

/** Unknown fields are told one by one, so that each has its own line. */
function fieldsAtFault(issue: core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issueMessage(issue) }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'no such field' }));
}

/** One line of text per problem, as editors and terminals link it. */
export const problemLines = (fileName: string, problems: Problem[]): string[] =>
  problems.map(({ line, field, message }) =>
    [`${fileName}:${line}`, field, message].filter(Boolean).join(': '),
  );
