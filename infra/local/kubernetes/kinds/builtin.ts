import type { Resource, ServedVersion } from '../discovery/resource.ts';
import { type Declared, declared } from './declared.ts';
import { fromNewEvent, newEventRules, toNewEvent } from './event.ts';

/** The kinds the API server has without any CustomResourceDefinition. */
export const builtinResources: readonly Resource[] = [...declared.map(toResource), newEvents()];

/** The events of events.k8s.io are those of the core group under other field names. */
function newEvents(): Resource {
  const group = 'events.k8s.io';
  const resource = toResource({
    group,
    plural: 'events',
    kind: 'Event',
    shortNames: ['ev'],
    rules: newEventRules,
  });
  return { ...resource, storage: 'events', shownAs: { toWire: toNewEvent, fromWire: fromNewEvent } };
}

function toResource(one: Declared): Resource {
  const { group = '', version = 'v1', plural, kind } = one;
  const key = group === '' ? plural : `${plural}.${group}`;
  const served: ServedVersion = { name: version, columns: [], selectableFields: [] };
  return {
    key,
    storage: key,
    group,
    plural,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced: one.isClusterWide !== true,
    shortNames: one.shortNames ?? [],
    categories: one.categories ?? [],
    subresources: one.subresources ?? [],
    versions: [served],
    storageVersion: version,
    isCustom: false,
    rules: one.rules ?? {},
  };
}
