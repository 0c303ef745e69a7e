import type { OptionsConfig } from '../../terminal/parse-arguments.ts';
import type { Command } from '../command.ts';
import { help } from '../help.ts';
import { type Candidate, optionsIn, summariesIn } from './told.ts';

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

/** The option that the next word belongs to: the last one, if it waits for its value or takes a list. */
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
