import { commands } from '../../infra/cli/commands.ts';

const loaded = await Promise.all([...commands.values()].map(({ load }) => load()));

/** What the help says of options. */
export const saidInHelp: ReadonlySet<string> = new Set(
  loaded
    .flatMap(({ options }) => Object.values(options))
    .flatMap(({ meaning, group = '' }) => [meaning, group]),
);
