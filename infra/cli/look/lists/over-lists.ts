import { memoize } from '../../../../shared/async/shared-reads.ts';
import type { Kubernetes, ObjectList, Resource, Selection } from '../../../../shared/kubernetes/client.ts';
import { parseSelector } from '../../../../shared/kubernetes/label-selector.ts';
import type { KubeObject, Pod } from '../../../../shared/kubernetes/objects.ts';
import { secrets } from '../../../../shared/kubernetes/resources.ts';
import { selectorOf } from '../../../../shared/kubernetes/selector-text.ts';
import { holdOf } from './held.ts';

/** One list, and how its objects are found in it. */
interface Indexed extends ObjectList {
  byKey: ReadonlyMap<string, KubeObject>;
  byNode: ReadonlyMap<string, KubeObject[]>;
}

const onNode = /^spec\.nodeName=(.+)$/;

/**
 * A cluster that is looked at for many Machines. Each kind is listed once, and all reads are answered from that: it shows the
 * cluster as it was then. What failed once is not asked again. Secrets are got one by one.
 * @param namespace its objects are listed by themselves, where the Machines of others do not matter
 */
export function overLists(kubernetes: Kubernetes, namespace?: string): Kubernetes {
  const lists = new Map<string, Promise<Indexed>>();
  const kinds = new Map<string, Promise<Resource | undefined>>();
  const listed = (resource: Resource, wanted: string | undefined): Promise<Indexed> => {
    const scope = namespace !== undefined && wanted === namespace ? { namespace } : {};
    const key = JSON.stringify([resource.group, resource.version, resource.plural, scope]);
    return memoize(lists, key, async () => indexed(await kubernetes.list(resource, scope, holdOf(resource))));
  };
  return {
    ...kubernetes,
    async get(resource, key) {
      if (resource.plural === secrets.plural && resource.group === '') return kubernetes.get(resource, key);
      return (await listed(resource, key.namespace)).byKey.get(keyOf(key));
    },
    async list(resource, selection = {}, hold) {
      const { fieldSelector = '' } = selection;
      const nodeName = onNode.exec(fieldSelector)?.[1];
      if (fieldSelector !== '' && nodeName === undefined) return kubernetes.list(resource, selection, hold);
      const all = await listed(resource, selection.namespace);
      const there = nodeName === undefined ? all.items : (all.byNode.get(nodeName) ?? []);
      return { items: heldOf(selected(there, selection), hold), resourceVersion: all.resourceVersion };
    },
    discover: (...asked) => memoize(kinds, JSON.stringify(asked), () => kubernetes.discover(...asked)),
  };
}

const keyOf = ({ namespace = '', name }: { namespace?: string; name: string }): string =>
  `${namespace}/${name}`;

const indexed = (list: ObjectList): Indexed => ({
  ...list,
  byKey: new Map(list.items.map((object) => [keyOf(object.metadata), object])),
  byNode: Map.groupBy(list.items, ({ spec }: Pod) => spec?.nodeName ?? ''),
});

function selected(
  items: readonly KubeObject[],
  { namespace, labelSelector }: Selection,
): readonly KubeObject[] {
  const within =
    namespace === undefined ? items : items.filter(({ metadata }) => metadata.namespace === namespace);
  if (labelSelector === undefined || labelSelector === '') return within;
  const selector = parseSelector(selectorOf(labelSelector), 'labelSelector');
  return within.filter(
    ({ metadata }) => selector.kind === 'valid' && selector.matches(metadata.labels ?? {}),
  );
}

const heldOf = (
  items: readonly KubeObject[],
  hold: ((object: KubeObject) => KubeObject | undefined) | undefined,
): KubeObject[] => (hold === undefined ? [...items] : items.flatMap((object) => hold(object) ?? []));
