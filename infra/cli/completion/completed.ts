import { cut } from '../../../shared/text/truncate.ts';
import type { OptionsConfig } from '../../terminal/parse-arguments.ts';
import type { Command } from '../command.ts';
import { help } from '../help.ts';

interface Completed {
  candidates: Candidate[];
  /** A file may stand there. */
  isFile: boolean;
}

const nothing: Completed = { candidates: [], isFile: false };

/** What may stand in place of the last word, behind those before it. */
export function completed(words: readonly string[], commands: ReadonlyMap<string, Command>): Completed {
  const last = words.at(-1) ?? '';
  const { candidates, isFile } = meant(words.slice(0, -1), last, commands);
  return { candidates: candidates.filter(({ word }) => word.startsWith(last)), isFile };
}

function meant(
  [name, ...before]: readonly string[],
  last: string,
  commands: ReadonlyMap<string, Command>,
): Completed {
  if (name === undefined || name === 'help') return { candidates: firstWords(commands, name), isFile: false };
  const command = commands.get(name);
  if (command === undefined) return nothing;
  const { options, words = [], help: text } = command;
  const [, assigned] = /^--([\w-]+)=/.exec(last) ?? [];
  if (assigned !== undefined) return valuesOf(options[assigned], `--${assigned}=`);
  if (last.startsWith('-')) return { candidates: optionsIn(text, options), isFile: false };
  const asking = askingFor(before, options);
  if (asking !== undefined) return valuesOf(options[asking]);
  return { candidates: words.map((word) => ({ word, meaning: '' })), isFile: false };
}

const firstWords = (commands: ReadonlyMap<string, Command>, name: string | undefined): Candidate[] => {
  const summaries = summariesIn(help);
  const named = [...commands.keys()].map((word) => ({ word, meaning: summaries.get(word) ?? '' }));
  if (name !== undefined) return named;
  return [...named, ...['help', '--help', '--version'].map((word) => ({ word, meaning: '' }))];
};

/** The option that the next word belongs to. It is the last one, if it waits for its value or takes a list. */
function askingFor(before: readonly string[], options: OptionsConfig): string | undefined {
  const at = before.findLastIndex((word) => word.startsWith('-'));
  const [, name = ''] = /^--?([\w-]+)$/.exec(before[at] ?? '') ?? [];
  const found = Object.entries(options).find(([long, { short }]) => name === long || name === short);
  if (found === undefined || found[1].type !== 'string') return undefined;
  return at === before.length - 1 || found[1].multiple === true ? found[0] : undefined;
}

const valuesOf = (option: OptionsConfig[string] | undefined, prefix = ''): Completed => ({
  candidates: (option?.choices ?? []).map((word) => ({ word: `${prefix}${word}`, meaning: '' })),
  isFile: option?.isFile === true,
});

/** A word that a shell may offer. */
interface Candidate {
  word: string;
  /** Empty where none is told. */
  meaning: string;
}

/** As much as shells show in one line. */
const meaningLength = 72;

/** What the list of commands says of each, by their names. */
const summariesIn = (list: string): Map<string, string> =>
  new Map(
    [...list.matchAll(/^ {2}phaseout (\w+)(?: [A-Z/]+)* +([a-z].*)$/gm)].map(
      ([, name = '', meaning = '']) => [name, meaning],
    ),
  );

/** Options as a command's help tells of them: `--no-x` where that is what one would say. */
function optionsIn(text: string, options: OptionsConfig): Candidate[] {
  const told = Object.keys(options).map((name) => {
    const [, word = `--${name}`, first = '', more = ''] = lineOf(name).exec(text) ?? [];
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
