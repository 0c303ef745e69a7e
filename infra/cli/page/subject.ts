import { examples } from '../examples.ts';
import type { LookSource } from '../look/options.ts';

/** Where the Machines are, in a few words. */
export function subjectOf(source: LookSource, url: string): string {
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
