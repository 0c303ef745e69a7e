import type { Outside } from '../terminal/outside.ts';
import type { OptionsConfig } from '../terminal/parse-arguments.ts';

/** What a command line begins with. */
export interface Command {
  start(args: readonly string[], outside: Outside): Promise<number>;
  /** It ends with examples. */
  help: string;
  /** As the command parses them: a shell completes what is here. */
  options: OptionsConfig;
  /** What its other arguments are chosen from, where that is known without a cluster. */
  words?: readonly string[];
}
