import type { ParseArgsConfig } from 'node:util';

/** What has names that a kubeconfig or a cluster knows. */
export type NameKind = 'contexts' | 'namespaces' | 'machines';

/** An option as `parseArgs` of node:util takes it, and which values it takes. */
type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** All values that it takes: any other is refused. */
  choices?: readonly string[];
  /** Some values that it takes, for a shell to offer. */
  offers?: readonly string[];
  /** What it means without a value: at the end, and before another option. */
  bare?: string;
  /** A file or folder. */
  isFile?: boolean;
  /** Names that a shell may ask a kubeconfig or a cluster for. */
  names?: NameKind;
};

/** The options of a command line. */
export type OptionsConfig = Readonly<Record<string, Option>>;

/** An option with what the help says of it. */
export type ToldOption = Option & {
  /** Stands for the value in the help: `FILE`. A switch has none. */
  value?: string;
  meaning: string;
  /** The heading that the help tells it under; the options without one come first. */
  group?: string;
};

/** The options of a command, in the order of its help: parse, help and completion come from here. */
export type ToldOptions = Readonly<Record<string, ToldOption>>;

/** How an option is typed: `--no-x` where it is on by default. */
export const typed = (name: string, { default: isOn }: Pick<Option, 'default'>): string =>
  isOn === true ? `--no-${name}` : `--${name}`;
