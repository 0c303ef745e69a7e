import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
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
  if (errors.length > 0) {
    const problems = errors.map(({ pos, message }) => ({
      line: lines.linePos(pos[0]).line,
      field: '',
      // The rest is a drawing of the place, which the line already names.
      message: message.split(' at line ')[0] ?? message,
    }));
    return { kind: 'refused', problems };
  }

  const parsed = serverlessSchema.safeParse(document.toJS());
  if (parsed.success) return { kind: 'read', file: resolve(parsed.data) };

  const problems = parsed.error.issues.flatMap((issue) => {
    // Named one by one, so that each has its own line and field.
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const places = unknown.length === 0 ? [issue.path] : unknown.map((key) => [...issue.path, key]);
    const message = unknown.length === 0 ? issueMessage(issue) : 'no such field';
    return places.map((path) => ({ line: lineOf(document, lines, path), field: path.join('.'), message }));
  });
  return { kind: 'refused', problems: problems.toSorted((one, other) => one.line - other.line) };
}

/** One line of text per problem, as editors and terminals link it. */
export const problemLines = (fileName: string, problems: Problem[]): string[] =>
  problems.map(({ line, field, message }) =>
    [`${fileName}:${line}`, field, message].filter(Boolean).join(': '),
  );

/** Where the field is, or, if it is missing, the innermost of its parents that is there. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
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
