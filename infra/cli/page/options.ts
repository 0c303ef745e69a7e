import { type OptionsConfig, parseOptions, portOf } from '../../terminal/parse-arguments.ts';
import { archiveOptions, archivePlacesOf } from '../history/options.ts';
import { lookOptions, namespaceOf, namespaceOption } from '../look/options.ts';

const { output: _, ...places } = lookOptions;

export const pageOptions = {
  ...places,
  ...archiveOptions,
  port: { type: 'string' },
  ...namespaceOption,
} as const satisfies OptionsConfig;

/** Throws UsageError. */
export function readPageOptions(args: readonly string[]) {
  const values = parseOptions(args, pageOptions);
  return { namespace: namespaceOf(values), ...archivePlacesOf(values), port: portOf(values.port) };
}
