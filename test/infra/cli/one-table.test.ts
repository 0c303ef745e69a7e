import { describe, expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { completed } from '../../../infra/cli/completion/completed.ts';
import { helpOf, overview } from '../../../infra/cli/help-of.ts';
import { parseArguments } from '../../../infra/terminal/parse-arguments.ts';

/** `--name` of the rows of options in a help. */
const toldIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?= |$)/gm)].map(([, option = '']) => option);

const loaded = await Promise.all(
  [...commands].map(async ([name, { load }]) => [name, await load()] as const),
);

describe.each(loaded)('the options of %s', (name, command) => {
  const { prose, options } = command;
  const offered = completed([name, '--'], commands, command).candidates.map(({ word }) => word);

  test('are the same in its help and for a shell', () => {
    const help = toldIn(helpOf({ prose, options }));
    expect(offered.toSorted()).toEqual([...help, '--help'].toSorted());
    expect(new Set(help).size).toBe(Object.keys(options).length);
  });

  test('are understood as the help says, and no others are', () => {
    for (const option of offered.filter((word) => word !== '--help')) {
      const key = Object.hasOwn(options, option.slice(2)) ? option.slice(2) : option.slice('--no-'.length);
      const { type, value, choices = ['x'], multiple } = options[key]!;
      expect(value === undefined).toBe(type === 'boolean');
      const { values } = parseArguments(type === 'boolean' ? [option] : [option, choices[0]!], options);
      const given = type === 'boolean' ? option === `--${key}` : choices[0];
      expect({ ...values }).toMatchObject({ [key]: multiple === true ? [given] : given });
    }
    expect(() => parseArguments(['--dance'], options)).toThrow('--dance');
  });

  test('that have choices take no other value, and a shell offers them all', () => {
    for (const [key, { choices }] of Object.entries(options)) {
      if (choices === undefined) continue;
      expect(() => parseArguments([`--${key}`, 'x'], options)).toThrow(`--${key} takes`);
      const values = completed([name, `--${key}`, ''], commands, command).candidates.map(({ word }) => word);
      expect(values).toEqual(choices);
    }
  });

  test('fill lines of at most 130 signs', () => {
    const rows = helpOf({ prose, options }).split('\n');
    const long = rows.filter((line) => line.length > 130 && !/^ {2}(kubectl|oc) /.test(line));
    expect(long).toEqual([]);
  });
});

test('the list of commands has the summary of each', () => {
  const lines = overview(commands).split('\n');
  for (const [name, { summary }] of commands)
    expect(lines).toContain(`  phaseout ${name.padEnd(12)}${summary}`);
});
