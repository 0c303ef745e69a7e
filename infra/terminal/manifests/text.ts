import { type Document, LineCounter, parseAllDocuments, type ScalarTag, type Tags } from 'yaml';
import { ManifestUnreadable } from './unreadable.ts';

/** One document of a file, and the line that it begins in. */
export interface TextDocument {
  line: number;
  value: unknown;
}

/** A shell may write UTF-16: PowerShell does. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/**
 * The documents in a file's text, without those that hold nothing. They are JSON, one after the other, or YAML. `path` is
 * only for messages. Throws ManifestUnreadable.
 */
export function documentsIn(text: string, path: string): TextDocument[] {
  const documents = jsonIn(text) ?? yamlIn(text, path);
  return documents.filter(({ value }) => value !== null && value !== undefined);
}

/** What may stand between two JSON documents. */
const between = /(?:\s|^---$)*/my;

/** Undefined for what is not JSON alone. YAML takes flow mappings, too. */
function jsonIn(text: string): TextDocument[] | undefined {
  const whole = wholeJson(text);
  if (whole !== undefined) return [whole];
  const documents: TextDocument[] = [];
  let line = 1;
  let end = 0;
  for (;;) {
    between.lastIndex = end;
    const begin = end + (between.exec(text)?.[0].length ?? 0);
    if (begin === text.length) return documents.length === 0 ? undefined : documents;
    line += linesIn(text.slice(end, begin));
    end = text[begin] === '{' ? endOfObject(text, begin) : -1;
    const value = end === -1 ? undefined : parsedJson(text.slice(begin, end));
    if (value === undefined) return undefined;
    documents.push({ line, value });
    line += linesIn(text.slice(begin, end));
  }
}

/** A dump is one document, and large: its end need not be looked for. */
function wholeJson(text: string): TextDocument | undefined {
  const begin = text.search(/\S/);
  const value = text[begin] === '{' ? parsedJson(text) : undefined;
  return value === undefined ? undefined : { line: 1 + linesIn(text.slice(0, begin)), value };
}

const linesIn = (text: string): number => text.split('\n').length - 1;

const marks = /["{}]|\\./gs;

/** Behind the brace that closes the one at `begin`; -1 where none does. */
function endOfObject(text: string, begin: number): number {
  let depth = 0;
  let isInText = false;
  marks.lastIndex = begin;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [sign] = mark;
    if (sign === '"') isInText = !isInText;
    else if (!isInText && sign === '{') depth += 1;
    else if (!isInText && sign === '}') depth -= 1;
    if (depth === 0) return marks.lastIndex;
  }
  return -1;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Kubernetes reads these words of YAML 1.1 as booleans. */
const oldBooleans: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text) => /^(?:y|on)/i.test(text),
};

const customTags = (tags: Tags): Tags => [oldBooleans, ...tags];

function yamlIn(text: string, path: string): TextDocument[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, customTags });
  return [...documents].map((document) => {
    const line = Math.max(lines.linePos(document.contents?.range?.[0] ?? 0).line, 1);
    const [error] = document.errors;
    if (error === undefined) return { line, value: valueOf(document, `${path}:${line}`) };
    const at = lines.linePos(error.pos[0]);
    // Beside the first key of a document a second one is the first of another.
    const isAppended = error.code === 'DUPLICATE_KEY' && at.col === 1;
    throw new ManifestUnreadable(
      isAppended
        ? `${path}:${at.line}: a second document begins here: put a line --- before it`
        : `${path}: ${error.message}`,
    );
  });
}

/** Throws ManifestUnreadable for aliases that would unfold into more than any manifest holds. */
function valueOf(document: Document, from: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    throw new ManifestUnreadable(`${from}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
