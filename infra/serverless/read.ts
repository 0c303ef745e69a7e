import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';
import type { core } from 'zod';
import { issueMessage } from './issue-message.ts';
import type { ServerlessFile } from './model.ts';
import { resolve } from './resolve.ts';
import { serverlessSchema } from './schema.ts';

interface Problem {
  /** From 1. */
  line: number;
  /** Dotted path, such as `functions.drain.events.0`; empty for the file as a whole. */
  field: string;
  message: string;
}

type ServerlessReading = { kind: 'read'; file: ServerlessFile } | { kind: 'refused'; problems: Problem[] };

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

/** The line of the field, from 1. If the field is missing, it is the line of its innermost parent. */
export function fieldLine(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  let offset = 0;
  for (let depth = 1; depth <= path.length; depth++) {
    const found = offsetOf(document, path.slice(0, depth));
    if (found === undefined) break;
    offset = found;
  }
  return lines.linePos(offset).line;
}

/** Of the key rather than the value, which may start lines below it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap<Node, Node>(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last));
    return pair?.key.range?.[0];
  }
  const node: unknown = document.getIn(path, true);
  return isScalar(node) || isMap(node) ? node.range?.[0] : undefined;
}
