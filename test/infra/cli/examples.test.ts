import { describe, expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { helpOf } from '../../../infra/cli/help-of.ts';
import { parseArguments } from '../../../infra/terminal/parse-arguments.ts';

/** Arguments of the examples at the end of a help text; the last lines are examples. */
function examplesIn(help: string, name: string): string[][] {
  const lines = help.trimEnd().split('\n');
  const end = lines.slice(lines.lastIndexOf('') + 1);
  return end.map((line) => {
    const [, words] = new RegExp(`^ {2}(?:source <\\()?phaseout ${name}( [^)|]*)?`).exec(line) ?? [];
    return words?.trim().split(/ +/) ?? (line === `  phaseout ${name}` ? [] : [`no example: ${line}`]);
  });
}

const loaded = await Promise.all(
  [...commands].map(async ([name, { load }]) => [name, await load()] as const),
);

describe.each(loaded)('phaseout %s --help', (name, { prose, options }) => {
  const help = helpOf({ prose, options });
  const examples = examplesIn(help, name);

  test('ends with two examples or more', () => {
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(examples.flat().filter((word) => word.startsWith('no example'))).toEqual([]);
  });

  test.each(examples.map((args) => [args.join(' '), args] as const))(
    'has an example that is one: %s',
    (_, args) => {
      expect(() => parseArguments(args, options)).not.toThrow();
    },
  );

  test('tells of every option, and of no other', () => {
    const lines = [...help.matchAll(/^ {2}(-\S.*?)(?: {2,}|$)/gm)].map(([, left = '']) => left);
    const told = lines.flatMap((left) =>
      [...left.matchAll(/(?<=^|, )--(?:no-)?([a-z][\w-]*)/g)].map(([, option = '']) => option),
    );
    expect([...new Set(told)].toSorted()).toEqual(Object.keys(options).toSorted());
  });
});
