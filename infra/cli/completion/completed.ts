import { cut } from '../../../shared/text/truncate.ts';
import { type OptionsConfig, type ToldOptions, typed } from '../../terminal/option.ts';
import type { Command, Loaded } from '../command.ts';
import { type Asked, askedIn, lineOf } from './asked.ts';

interface Completed {
  candidates: Candidate[];
  /** A file may stand there. */
  isFile: boolean;
  /** Names may stand there that are not known here, behind what is typed already: `--context=`. */
  asks?: { asked: Asked; prefix: string };
}

const nothing: Completed = { candidates: [], isFile: false };

type Commands = ReadonlyMap<string, Command>;

/**
 * What may stand in place of the last word, behind those before it.
 * @param loaded the command that the words begin with
 */
export function completed(
  words: readonly string[],
  commands: Commands,
  loaded: Loaded | undefined,
): Completed {
  const last = words.at(-1) ?? '';
  const { candidates, ...more } = meant(words.slice(0, -1), last, commands, loaded);
  return { candidates: candidates.filter(({ word }) => word.startsWith(last)), ...more };
}

function meant(
  [name, ...before]: readonly string[],
  last: string,
  commands: Commands,
  loaded: Loaded | undefined,
): Completed {
  if (name === undefined || name === 'help') return { candidates: firstWords(commands, name), isFile: false };
  const found = commands.get(name);
  if (found === undefined || loaded === undefined) return nothing;
  const command = { ...found, ...loaded };
  const { options, words = [] } = command;
  const [start = '', assigned] = /^--([\w-]+)=/.exec(last) ?? [];
  const valuesOf = (option: string, prefix = ''): Completed =>
    valuesFor({ command, before, option, prefix, last: last.slice(prefix.length) });
  if (assigned !== undefined) return valuesOf(assigned, start);
  if (last.startsWith('-')) return { candidates: optionsOf(options), isFile: false };
  const asking = askingFor(before, options);
  if (asking !== undefined) return valuesOf(asking);
  if (command.takes !== undefined) return machinesFor(command, before, last);
  return { candidates: words.map((word) => ({ word, meaning: '' })), isFile: false };
}

const firstWords = (commands: Commands, name: string | undefined): Candidate[] => {
  const named = [...commands].map(([word, { summary }]) => ({ word, meaning: summary }));
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

interface Value {
  command: Command & Loaded;
  before: readonly string[];
  /** The option that it belongs to. */
  option: string;
  /** What stands before it in the same word. */
  prefix: string;
  /** What is typed of it. */
  last: string;
}

function valuesFor({ command, before, option, prefix, last }: Value): Completed {
  const { choices, offers = [], isFile = false, names: kind } = command.options[option] ?? {};
  const candidates = (choices ?? offers).map((word) => ({ word: `${prefix}${word}`, meaning: '' }));
  if (kind === undefined) return { candidates, isFile };
  const asked = askedIn(lineOf(before, command.options), { kind, option, last }, command);
  return { candidates, isFile, ...(asked !== undefined && { asks: { asked, prefix } }) };
}

/** Where one Machine is taken, and one is named, nothing more can follow. */
function machinesFor(command: Command & Loaded, before: readonly string[], last: string): Completed {
  const line = lineOf(before, command.options);
  if (command.takes === 'machine' && line.positionals.length > 0) return nothing;
  const asked = askedIn(line, { kind: 'machines', last }, command);
  return { ...nothing, ...(asked !== undefined && { asks: { asked, prefix: '' } }) };
}

/** A word that a shell may offer. */
interface Candidate {
  word: string;
  /** Empty where none is told. */
  meaning: string;
}

/** As much as shells show in one line. */
const meaningLength = 72;

/** Options as one would type them. */
function optionsOf(options: ToldOptions): Candidate[] {
  const told = Object.entries(options).map(([name, option]) => ({
    word: typed(name, option),
    meaning: cut(option.meaning, meaningLength),
  }));
  return [...told, { word: '--help', meaning: 'all that the command takes' }];
}
