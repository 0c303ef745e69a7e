import { isJson, type OptionsConfig, parseArguments, refuseStray } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type LookSource, lookOptions, lookSourceOf } from '../look/options.ts';

const { 'workload-kubeconfig': _, 'workload-context': __, ...ofManagement } = lookOptions;

/** For `parseArguments`. */
export const hooksOptions = {
  ...ofManagement,
  namespace: { type: 'string', short: 'n' },
} as const satisfies OptionsConfig;

export interface HooksOptions {
  source: LookSource;
  /** Undefined is all. */
  namespace: string | undefined;
  json: boolean;
}

/** Throws UsageError. */
export function readHooksOptions(args: readonly string[]): HooksOptions {
  const { values, rest } = parseArguments(args, hooksOptions);
  refuseStray(rest);
  const { namespace } = values;
  if (namespace === '') throw new UsageError('--namespace takes the name of a namespace');
  return { source: lookSourceOf(values, 'cluster'), namespace, json: isJson(values.output) };
}
