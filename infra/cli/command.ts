import type { ToldOptions } from '../terminal/option.ts';
import type { Outside } from '../terminal/outside.ts';

/** What the help of a command says before its options, and after them. It ends with examples. */
export interface Prose {
  head: string;
  tail: string;
}

/** What a command line begins with. The list of commands tells no more, so no more is loaded for it. */
export interface Command {
  /** In the list of commands: what it does, and under which heading. */
  summary: string;
  section: 'Deletions' | 'Hooks of your own' | 'An installation' | 'Your shell';
  load: () => Promise<Loaded>;
  /** It takes the name of a Machine, or of several. */
  takes?: 'machine' | 'machines';
  /** Without a kubeconfig it is about a cluster in this process. */
  isLocal?: boolean;
}

/** What a command does, and what it takes. */
export interface Loaded {
  start(args: readonly string[], outside: Outside): Promise<number>;
  prose: Prose;
  /** Parse, help and completion come from here. */
  options: ToldOptions;
  /** What its other arguments are chosen from, where that is known without a cluster. */
  words?: readonly string[];
}
