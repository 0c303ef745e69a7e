import type { ToldOptions } from '../../terminal/option.ts';
import { type Outside, untilInterrupted } from '../../terminal/outside.ts';
import { parseOptions, portOf } from '../../terminal/parse-arguments.ts';
import { examples } from '../examples.ts';
import { archiveOptions, archivePlacesOf } from '../history/options.ts';
import { recordsBy } from '../history/records-by-ways.ts';
import { brief } from '../history/way.ts';
import { waysTo } from '../history/ways.ts';
import { openLooker } from '../look/looker.ts';
import { type LookSource, namespaceOption, placeOptions } from '../look/options.ts';
import { namespaceOf } from '../source.ts';
import { openPage } from './open-page.ts';

export const pageOptions = {
  port: { type: 'string', value: 'PORT', meaning: 'listen there; any free port by default' },
  namespace: {
    ...namespaceOption.namespace,
    meaning: 'only the Machines of this namespace, for who may not list those of all',
  },
  ...placeOptions,
  ...archiveOptions,
} as const satisfies ToldOptions;

/** Throws UsageError. */
export function readPageOptions(args: readonly string[]) {
  const values = parseOptions(args, pageOptions);
  return { namespace: namespaceOf(values), ...archivePlacesOf(values), port: portOf(values.port) };
}

/** `phaseout page`. Resolves with the exit code once it is interrupted; throws what main knows how to say. */
export async function page(args: readonly string[], outside: Outside): Promise<number> {
  const options = readPageOptions(args);
  const { source, port, namespace } = options;
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const recordsOf = recordsBy(waysTo(options, outside, brief), outside.clock, closing);
  const subject = subjectOf(source, looker.url);
  const about = { subject, recordsOf, namespace, source, port };
  const address = await openPage(looker, about, outside, closing);
  outside.stdout.write(`${address}\n`);
  outside.stderr.write(`The page of ${subject}, for you alone, until Ctrl-C. It only reads.\n`);
  await untilInterrupted(outside.interrupted);
  return 0;
}

/** Where the Machines are, in a few words. */
function subjectOf(source: LookSource, url: string): string {
  switch (source.kind) {
    case 'example':
      return examples[source.name].subject;
    case 'manifests':
      return `objects from ${source.paths.join(', ')}`;
    case 'cluster':
      return `the cluster at ${url}`;
    default:
      return source satisfies never;
  }
}
