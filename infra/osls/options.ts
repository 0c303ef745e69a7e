import type { OptionsConfig } from '../terminal/parse-arguments.ts';
import type { CommandOption, GivenOptions } from './framework.ts';

/** Options of our command line as those of the framework's command of the same name. */
export const frameworkOptions = (options: OptionsConfig, command: string): Record<string, CommandOption> =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !decidedByFramework.has(name))
      .map(([name, { type, multiple }]) => [
        name,
        { usage: `as in phaseout ${command} --help`, type: multiple === true ? 'multiple' : type },
      ]),
  );

/** Which file it is, and where files go, is said by options that the framework has already. */
const decidedByFramework: ReadonlySet<string> = new Set(['file', 'out']);

/** What was given of these options, as arguments. */
export const argumentsOf = (options: OptionsConfig, given: GivenOptions): string[] =>
  Object.keys(options).flatMap((name) => argumentsFor(name, given[name]));

function argumentsFor(name: string, value: GivenOptions[string]): string[] {
  if (value === undefined || value === null) return [];
  if (value === false) return [`--no-${name}`];
  if (value === true) return [`--${name}`];
  return [value].flat().map((each) => `--${name}=${each}`);
}
