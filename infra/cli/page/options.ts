import { type OptionsConfig, parseArguments, refuseStray } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type ArchivePlaces, archiveOptions, archivePlacesOf } from '../history/options.ts';
import { lookOptions } from '../look/options.ts';
import { portOf } from './port.ts';

export interface PageOptions extends ArchivePlaces {
  /** Undefined is any free one. */
  port: number | undefined;
  /** All namespaces where it is undefined. */
  namespace: string | undefined;
}

const { output: _, ...places } = lookOptions;

/** For `parseArguments`. */
export const pageOptions = {
  ...places,
  ...archiveOptions,
  port: { type: 'string' },
  namespace: { type: 'string', short: 'n' },
} as const satisfies OptionsConfig;

/** Throws UsageError. */
export function readPageOptions(args: readonly string[]): PageOptions {
  const { values, rest } = parseArguments(args, pageOptions);
  refuseStray(rest);
  if (values.namespace === '') throw new UsageError('--namespace takes the name of a namespace');
  return { ...archivePlacesOf(values), port: portOf(values.port), namespace: values.namespace };
}
