import type { ApiServerSource, ServerlessFile, Trigger } from './model.ts';

/** The same without the sources of some resources, and without the Triggers that only they would have fed. */
export function withoutSources(
  file: ServerlessFile,
  isDropped: (source: ApiServerSource) => boolean,
): ServerlessFile {
  const dropped = file.apiServerSources.filter(isDropped);
  return {
    ...file,
    apiServerSources: file.apiServerSources.filter((source) => !dropped.includes(source)),
    triggers: file.triggers.filter((trigger) => !dropped.some((source) => isFedBy(trigger, source))),
  };
}

/** A Trigger on changes of a resource says which in these two attributes. */
const isFedBy = ({ filters = [] }: Trigger, { apiVersion, kind }: ApiServerSource): boolean =>
  filters.some(
    (filter) =>
      'exact' in filter && filter.exact['apiversion'] === apiVersion && filter.exact['kind'] === kind,
  );
