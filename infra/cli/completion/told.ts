import { cut } from '../../../shared/text/truncate.ts';
import type { OptionsConfig } from '../../terminal/parse-arguments.ts';

/** A word that a shell may offer. */
export interface Candidate {
  word: string;
  /** Empty where none is told. */
  meaning: string;
}

/** As much as shells show in one line. */
const meaningLength = 72;

/** What the list of commands says of each, by their names. */
export const summariesIn = (list: string): Map<string, string> =>
  new Map(
    [...list.matchAll(/^ {2}phaseout (\w+)(?: [A-Z/]+)* +([a-z].*)$/gm)].map(
      ([, name = '', meaning = '']) => [name, meaning],
    ),
  );

/** Options as a command's help tells of them: `--no-x` where that is what one would say. */
export function optionsIn(help: string, options: OptionsConfig): Candidate[] {
  const told = Object.keys(options).map((name) => {
    const [, word = `--${name}`, first = '', more = ''] = lineOf(name).exec(help) ?? [];
    return { word, meaning: cut(`${first}${more}`.replaceAll(/\s+/g, ' ').trim(), meaningLength) };
  });
  return [...told, { word: '--help', meaning: 'all that the command takes' }];
}

/** `  -o, --output json   meaning`, where the meaning may go on or begin in lines far to the right. */
const lineOf = (name: string): RegExp =>
  new RegExp(
    `^ {2}(?:-\\w, |--[\\w-]+ \\S+, )?(--(?:no-)?${name})(?:,? \\S+)*?(?: {2,}(.*)|$)((?:\\n {20,}.*)*)`,
    'm',
  );
