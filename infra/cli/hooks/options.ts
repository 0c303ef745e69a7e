import { isJson, parseOptions } from '../../terminal/parse-arguments.ts';
import { type LookSource, lookSourceOf, namespaceOf, namespaceOption } from '../look/options.ts';
import { sourceOptions } from '../options.ts';

export const hooksOptions = { ...sourceOptions, ...namespaceOption } as const;

export interface HooksOptions {
  source: LookSource;
  /** Undefined is all. */
  namespace: string | undefined;
  json: boolean;
}

/** Throws UsageError. */
export function readHooksOptions(args: readonly string[]): HooksOptions {
  const values = parseOptions(args, hooksOptions);
  const namespace = namespaceOf(values);
  return { source: lookSourceOf(values, 'cluster'), namespace, json: isJson(values.output) };
}
