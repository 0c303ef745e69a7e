import { parseArgs } from 'node:util';
import type { NameKind, ToldOptions } from '../../terminal/option.ts';
import type { Command } from '../command.ts';

/** Names that only a kubeconfig or a cluster knows, and where they are. */
export interface Asked {
  kind: NameKind;
  kubeconfig: string | undefined;
  context: string | undefined;
  /** As `-n` says it: names of Machines stand alone then. */
  namespace: string | undefined;
  /** The namespace of the name that is begun. */
  begun: string | undefined;
}

/** What the words before the last one say of it. */
interface Line {
  values: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
}

export const lineOf = (before: readonly string[], options: ToldOptions): Line =>
  parseArgs({ args: [...before], options, strict: false, allowPositionals: true });

/** What to ask for names of this kind. Undefined where the command does not look at a cluster. */
export function askedIn(
  { values }: Line,
  { kind, option, last }: { kind: NameKind; option?: string; last: string },
  { isLocal = false }: Pick<Command, 'isLocal'>,
): Asked | undefined {
  const said = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const own = said('kubeconfig');
  const isElsewhere = ['load', 'load-workload', 'example'].some((name) => Object.hasOwn(values, name));
  if (isElsewhere || (isLocal && own === undefined)) return undefined;
  const ofWorkload = option === 'workload-context' ? said('workload-kubeconfig') : undefined;
  return {
    kind,
    kubeconfig: ofWorkload ?? own,
    context: said('context'),
    namespace: said('namespace'),
    begun: /^(?:\w+:)?([^/:]+)\//.exec(last)?.[1],
  };
}
