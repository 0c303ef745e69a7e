import { optionsText } from '../terminal/help-text.ts';
import type { Command, Loaded } from './command.ts';

/** The help of a command. */
export function helpOf({ prose: { head, tail }, options }: Pick<Loaded, 'prose' | 'options'>): string {
  return [head, optionsText(options), tail].filter((part) => part !== '').join('\n\n');
}

/** All commands, by their sections. */
export function overview(commands: ReadonlyMap<string, Command>): string {
  const sections = Map.groupBy(commands, ([, { section }]) => section);
  const told = [...sections].map(
    ([section, those]) =>
      `${section}:\n${those.map(([name, { summary }]) => `  phaseout ${name.padEnd(12)}${summary}\n`).join('')}`,
  );
  return ['phaseout takes Kubernetes Machines out of service.\n', ...told, more].join('\n');
}

const more = `  phaseout COMMAND --help    all options of a command
  phaseout --version
`;
