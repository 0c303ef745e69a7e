/*
 * The evaluator cannot read the literals of objects in MutatingAdmissionPolicies, `Object.metadata{labels: {}}`. They are
 * put into words that it can read: `([dyn({})] == [] ? Object_metadata : Object_metadata)`, where `Object_metadata` has
 * the type of the literal. So the values of fields are checked, and what the literal gives is known. Not checked is
 * whether there are such fields: nor does the API server, which knows no schema as it compiles.
 */
import type { FieldsOf, Types } from '../../../infra/local/kubernetes/cel/vocabulary.ts';

const parts =
  /(?<![\w.])(Object(?:\.\w+)*)\s*\{(\s*\w+\s*:)?|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[{[(}\])]|,(?:\s*\w+\s*:)?/g;

export interface Readable {
  readonly text: string;
  /** What it refers to instead of literals of objects. */
  readonly roots: Types;
  readonly fieldsOf: FieldsOf;
}

export function readable(source: string): Readable {
  const types = new Set<string>();
  /** The type of each open literal of an object, and nothing for other open brackets. */
  const open: string[] = [];
  const text = source.replaceAll(parts, (part: string, type?: string, field?: string): string => {
    if (type !== undefined) {
      types.add(type);
      open.push(type);
      return field === undefined ? '([dyn(0' : '([dyn(';
    }
    if ('{[('.includes(part)) {
      open.push('');
      return part;
    }
    const of = '}])'.includes(part) ? open.pop() : part.startsWith(',') && open.at(-1);
    if (!of) return part;
    if (part.startsWith(',')) return part === ',' ? '' : '), dyn(';
    return `)] == [] ? ${rootOf(of)} : ${rootOf(of)})`;
  });
  const names = [...types];
  return {
    text,
    roots: Object.fromEntries(names.map((name) => [rootOf(name), name])),
    fieldsOf: Object.fromEntries(names.map((name) => [name, {}])),
  };
}

const rootOf = (type: string): string => type.replaceAll('.', '_');
