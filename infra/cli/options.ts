import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type ApiName, apiGroups, isApiName } from './api-names.ts';
import { type MachineName, parseMachineName } from './machine-name.ts';
import { UsageError } from './usage-error.ts';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

const shared = {
  example: { type: 'string' },
  load: { type: 'string', multiple: true },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const satisfies OptionsConfig;

const ofRun = {
  ...shared,
  delete: { type: 'string', multiple: true },
  serve: { type: 'boolean' },
  timeout: { type: 'string' },
} as const satisfies OptionsConfig;

/** Where Machines are looked for: an example fleet, manifests, or a real cluster. */
export type Source =
  | { kind: 'example'; name: ApiName }
  | { kind: 'manifests'; paths: string[] }
  | { kind: 'cluster'; kubeconfig: string; context: string | undefined };

export interface RunOptions {
  source: Source;
  /** Undefined when nothing was said about it. */
  targets: MachineName[] | undefined;
  serve: boolean;
  /** Undefined means for ever. */
  timeoutSeconds: number | undefined;
  json: boolean;
}

export interface PlanOptions {
  source: Source;
  machine: MachineName;
  json: boolean;
}

/** Throws UsageError. */
export function readRunOptions(args: readonly string[]): RunOptions {
  const { values, rest } = parse(args, ofRun);
  const [stray] = rest;
  if (stray !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(stray)}`);
  const source = sourceOf(values);
  return {
    source,
    targets: values.delete?.map(parseMachineName),
    serve: values.serve ?? false,
    timeoutSeconds: timeoutOf(values.timeout, source),
    json: isJson(values.output),
  };
}

/** Throws UsageError. */
export function readPlanOptions(args: readonly string[]): PlanOptions {
  const { values, rest } = parse(args, shared);
  // After a shell has spread `--load *.yaml NAMESPACE/NAME`, the Machine is the last one.
  const machine =
    rest.pop() ?? (values.load !== undefined && values.load.length > 1 ? values.load.pop() : undefined);
  if (machine === undefined) throw new UsageError('plan needs the NAMESPACE/NAME of a Machine');
  const [stray] = rest;
  if (stray !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(stray)}`);
  return { source: sourceOf(values), machine: parseMachineName(machine), json: isJson(values.output) };
}

function parse<T extends OptionsConfig>(args: readonly string[], options: T) {
  try {
    const spread = spreadLists([...args], options);
    const { values, positionals } = parseArgs({
      args: spread.args,
      options,
      allowPositionals: true,
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
    const { name, rawName, value } = token;
    list = options[name]?.multiple === true ? name : undefined;
    spread.push(
      value === undefined ? rawName : rawName.startsWith('--') ? `${rawName}=${value}` : `--${name}=${value}`,
    );
  }
  return { args: spread, rest };
}

interface SourceValues {
  example?: string;
  load?: string[];
  kubeconfig?: string;
  context?: string;
}

function sourceOf({ context, ...places }: SourceValues): Source {
  const { example, load, kubeconfig } = places;
  const given = (['example', 'load', 'kubeconfig'] as const).filter((one) => places[one] !== undefined);
  if (given.length > 1) {
    throw new UsageError(`${given.map((one) => `--${one}`).join(' and ')} exclude each other`);
  }
  if (kubeconfig !== undefined) return { kind: 'cluster', kubeconfig, context };
  if (context !== undefined) throw new UsageError('--context needs --kubeconfig');
  if (load !== undefined) return { kind: 'manifests', paths: load };
  if (example === undefined) return { kind: 'example', name: 'capi' };
  if (isApiName(example)) return { kind: 'example', name: example };
  const known = Object.keys(apiGroups).join(', ');
  throw new UsageError(`there is no example ${JSON.stringify(example)} (there are ${known})`);
}

const localTimeoutSeconds = 120;

function timeoutOf(text: string | undefined, { kind }: Source): number | undefined {
  if (text === undefined) return kind === 'cluster' ? undefined : localTimeoutSeconds;
  if (!/^\d+$/.test(text)) throw new UsageError(`--timeout takes whole seconds, not ${JSON.stringify(text)}`);
  return Number(text) === 0 ? undefined : Number(text);
}

function isJson(output: string | undefined): boolean {
  if (output !== undefined && output !== 'json') {
    throw new UsageError(`--output takes json, not ${JSON.stringify(output)}`);
  }
  return output === 'json';
}
