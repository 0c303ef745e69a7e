import { isDeepStrictEqual } from 'node:util';
import { Environment } from '@marcbachmann/cel-js';

/** Names with their types, as the evaluator writes them: `string`, `list<string>`, the name of a type with fields. */
export type Types = Readonly<Record<string, string>>;

/** The fields of types that have some. */
export type FieldsOf = Readonly<Record<string, Types>>;

/** What expressions of one kind may refer to. */
export interface Vocabulary {
  /** Judges with the types that are known. */
  readonly checking: Environment;
  /** Knows no types: it evaluates whatever has been judged. */
  readonly evaluating: Environment;
  /** Whether what is `dyn` here is `dyn` for the API server too. */
  readonly isTyped: boolean;
  readonly variables: Types;
}

/** Roots whose types this server does not know. */
export function vocabulary(...roots: string[]): Vocabulary {
  const strict = withRoots(environment({ homogeneousAggregateLiterals: true }), untyped(roots));
  return { checking: strict, evaluating: lenient(roots), isTyped: false, variables: {} };
}

/** Roots with their types. */
export function typedVocabulary(roots: Types, fieldsOf: FieldsOf): Vocabulary {
  const strict = withTypes(environment({ homogeneousAggregateLiterals: true }), fieldsOf);
  const evaluating = lenient([...Object.keys(roots), variablesRoot]);
  return { checking: withRoots(strict, roots), evaluating, isTyped: true, variables: {} };
}

const variablesRoot = 'variables';
const variablesType = 'kubernetes.variables';

/** The same words for an expression that may use these variables of its policy. */
export function withVariables(words: Vocabulary, variables: Types): Vocabulary {
  const strict = withTypes(words.checking.clone(), { [variablesType]: variables });
  return { ...words, checking: strict.registerVariable(variablesRoot, variablesType), variables };
}

const lenient = (roots: readonly string[]): Environment =>
  withRoots(environment({ homogeneousAggregateLiterals: false }), untyped(roots));

const untyped = (names: readonly string[]): Types => Object.fromEntries(names.map((name) => [name, 'dyn']));

function environment(options: { homogeneousAggregateLiterals: boolean }): Environment {
  return new Environment({ enableOptionalTypes: true, ...options })
    .registerFunction('list<dyn>.indexOf(dyn): int', (list: unknown[], item: unknown) =>
      BigInt(list.findIndex((one) => isDeepStrictEqual(one, item))),
    )
    .registerFunction('list<dyn>.lastIndexOf(dyn): int', (list: unknown[], item: unknown) =>
      BigInt(list.findLastIndex((one) => isDeepStrictEqual(one, item))),
    );
}

/** Objects may be compared with null, whatever their type. */
function withTypes(bare: Environment, fieldsOf: FieldsOf): Environment {
  return Object.entries(fieldsOf).reduce(
    (known, [name, fields]) =>
      known
        .registerType(name, { fields: { ...fields } })
        .registerOperator(`${name} == null: bool`, () => false),
    bare,
  );
}

function withRoots(bare: Environment, roots: Types): Environment {
  return Object.entries(roots).reduce((known, [name, type]) => known.registerVariable(name, type), bare);
}
