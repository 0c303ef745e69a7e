import { parseArgs } from 'node:util';
import { didYouMean, nearTo } from './near.ts';
import { type OptionsConfig, typed } from './option.ts';
import { UsageError } from './usage-error.ts';

type Parsed<T extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true; allowNegative: true; strict: true }>
>['values'];

type WithChoices<T extends OptionsConfig> = {
  [Name in keyof T as T[Name] extends { choices: readonly string[] } ? Name : never]?: T[Name] extends {
    choices: readonly (infer Choice)[];
  }
    ? Choice
    : never;
};

/** What was given of some options. */
export type ValuesOf<T extends OptionsConfig> = Parsed<T> & WithChoices<T>;

/** Options and what is left. A list goes on to the next option. Throws UsageError. */
export function parseArguments<T extends OptionsConfig>(
  args: readonly string[],
  options: T,
): { values: ValuesOf<T>; rest: string[] } {
  try {
    const spread = spreadLists(withBareValues(args, options), options);
    const { values, positionals } = parseArgs({
      args: spread.args,
      options,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
    refuseUnknownValues(values, options);
    return { values, rest: [...spread.rest, ...positionals] };
  } catch (error) {
    // Node explains how to pass an argument that begins with a dash, which no argument here does.
    if (error instanceof TypeError) throw new UsageError(error.message.split('. ')[0] ?? error.message);
    throw error;
  }
}

/** Throws UsageError where an option has a value that is none of its choices. */
function refuseUnknownValues<T extends OptionsConfig>(
  values: Parsed<T>,
  options: T,
): asserts values is ValuesOf<T> {
  for (const [name, value] of Object.entries(values)) {
    const choices = options[name]?.choices;
    if (choices === undefined || typeof value !== 'string' || choices.includes(value)) continue;
    const taken = choices.length > 1 ? `one of ${choices.join(', ')}` : choices.join('');
    const meant = didYouMean(nearTo(value, choices));
    throw new UsageError(`--${name} takes ${taken}, not ${JSON.stringify(value)}${meant}`);
  }
}

/** `--example` without a value has its own. Behind two dashes are words of somebody else's. */
function withBareValues(args: readonly string[], options: OptionsConfig): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, index) => {
    const bare = arg.startsWith('--') ? options[arg.slice(2)]?.bare : undefined;
    const isAlone = index + 1 >= end || args[index + 1]?.startsWith('-') === true;
    return bare !== undefined && index < end && isAlone ? `${arg}=${bare}` : arg;
  });
}

/** `--load a b` means `--load a --load b`: a list goes on to the next option. Arguments before any list are the rest. */
function spreadLists(args: readonly string[], options: OptionsConfig) {
  const spread: string[] = [];
  const rest: string[] = [];
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  let list: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional' && list === undefined) rest.push(token.value);
    if (token.kind === 'positional' && list !== undefined) spread.push(`--${list}=${token.value}`);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    refuseUnknown(token, options);
    // As Node does: the next argument may be another option, if an empty variable left no value.
    if (inlineValue === false && value.startsWith('-'))
      throw new UsageError(`${rawName} takes a value, and ${JSON.stringify(value)} follows`);
    list = options[name]?.multiple === true ? name : undefined;
    spread.push(
      value === undefined ? rawName : rawName.startsWith('--') ? `${rawName}=${value}` : `--${name}=${value}`,
    );
  }
  return { args: spread, rest };
}

/** In the words of Node. Throws UsageError. */
function refuseUnknown({ name, rawName }: { name: string; rawName: string }, options: OptionsConfig): void {
  const isTakenBack = name.startsWith('no-') && options[name.slice('no-'.length)]?.type === 'boolean';
  if (Object.hasOwn(options, name) || isTakenBack) return;
  const known = Object.entries(options).map(([key, option]) => typed(key, option));
  const near = rawName.startsWith('--') ? nearTo(rawName, [...known, '--help']) : [];
  throw new UsageError(`Unknown option '${rawName}'${didYouMean(near)}`);
}

/** The options of a command that takes nothing else. Throws UsageError. */
export function parseOptions<T extends OptionsConfig>(args: readonly string[], options: T) {
  const { values, rest } = parseArguments(args, options);
  refuseStray(rest);
  return values;
}

/** Throws UsageError where there is an argument that no option takes. */
export function refuseStray([stray]: readonly string[]): void {
  if (stray !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(stray)}`);
}

/** Undefined is for ever, as is 0. Throws UsageError. */
export function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--timeout takes whole seconds, not ${JSON.stringify(text)}`);
  return Number(text) === 0 ? undefined : Number(text);
}

/** The port that an option names. Throws UsageError. */
export function portOf(text: string | undefined, option = '--port'): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new UsageError(`${option} takes a number from 1 to 65535, not ${JSON.stringify(text)}`);
  return port;
}

/** Where `output` is one of the options, with its choices. */
export const isJson = (output: string | undefined): boolean => output === 'json';
