import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

/** An option, as `parseArgs` of node:util takes it, and what a shell may offer for its value. */
type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  choices?: readonly string[];
  isFile?: boolean;
};

/** The options of a command. */
export type OptionsConfig = Readonly<Record<string, Option>>;

/** What was given of some options. */
export type ValuesOf<T extends OptionsConfig> = ReturnType<typeof parseArguments<T>>['values'];

/** Options and what is left. A list goes on to the next option. Throws UsageError. */
export function parseArguments<T extends OptionsConfig>(args: readonly string[], options: T) {
  try {
    const spread = spreadLists([...args], options);
    const { values, positionals } = parseArgs({
      args: spread.args,
      options,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
    return { values, rest: [...spread.rest, ...positionals] };
  } catch (error) {
    // Node explains how to pass an argument that begins with a dash, which no argument here does.
    if (error instanceof TypeError) throw new UsageError(error.message.split('. ')[0] ?? error.message);
    throw error;
  }
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

/** Throws UsageError. */
export function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new UsageError(`--port takes a number from 1 to 65535, not ${JSON.stringify(text)}`);
  return port;
}

/** Throws UsageError. */
export function isJson(output: string | undefined): boolean {
  if (output !== undefined && output !== 'json') {
    throw new UsageError(`--output takes json, not ${JSON.stringify(output)}`);
  }
  return output === 'json';
}
