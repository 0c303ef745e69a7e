import { read } from './markdown.ts';

export const tutorial = read('infra/tutorial.md');

/** Each line of its blocks for the shell. */
export const typed: readonly string[] = [...tutorial.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(
  ([, block = '']) => block.trim().split('\n'),
);

export interface CommandLine {
  line: string;
  /** Set in front of the command. */
  env: Record<string, string>;
  name: string;
  args: string[];
}

/** Undefined for a line that does not start phaseout. */
export function commandIn(line: string): CommandLine | undefined {
  const [, set = '', rest = ''] = /^((?:PHASEOUT_\w+=\S+ )*)(.*)$/.exec(line) ?? [];
  const env = Object.fromEntries([...set.matchAll(/(\w+)=(\S+) /g)].map(([, name, value]) => [name, value]));
  const [npm, run, script = '', , ...args] = rest.split(' ');
  if (npm !== 'npm' || run === 'ci') return undefined;
  if (run === 'start') return { line, env, name: 'run', args: rest.split(' ').slice(3) };
  const [command = '', ...others] = args;
  return script === 'phaseout'
    ? { line, env, name: command, args: others }
    : { line, env, name: script, args };
}

export const commandLines = typed.map(commandIn).filter((found) => found !== undefined);
