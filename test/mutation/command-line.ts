import { parseArgs } from 'node:util';

export const usage = `npm run mutation -- [options]

  --mutate GLOB    change these sources alone (A,B or several times; with lines: shared/drain/plan.ts:10-40)
`;

export type CommandLine =
  /** `globs`: undefined for the whole pure core. */
  { kind: 'run'; globs: string[] | undefined } | { kind: 'help' } | { kind: 'refused'; why: string };

export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { mutate: { type: 'string', multiple: true }, help: { type: 'boolean' } },
    });
    if (values.help === true) return { kind: 'help' };
    return { kind: 'run', globs: values.mutate?.flatMap((globs) => globs.split(',')) };
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  }
}
