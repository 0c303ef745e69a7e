import type { Resource, Target } from '../discovery/resource.ts';
import { selectionTest } from '../selectors/selection.ts';
import { toStored } from '../server/body.ts';
import { textAt } from '../server/json.ts';
import type { ApiRequest } from '../server/request.ts';
import { answerBinding } from '../server/subresources.ts';
import { create, refuseClosedNamespace } from '../verbs/create.ts';
import { applyPatch, mergeWithObject } from '../verbs/patch.ts';
import { remove } from '../verbs/remove.ts';
import { type Api, existing, mustExist } from './api.ts';
import type { ChangeEvent, Cluster, KubeObject } from './cluster.ts';
import { evict } from './eviction.ts';

/** The API server for those in the same process: same verbs, no socket, no text. */
export function localCluster(api: Api): Cluster {
  const resourceOf = (key: string): Resource => {
    const resource = api.registry.get(key);
    if (!resource) throw new Error(`no such resource is served: ${key}`);
    return resource;
  };
  const targetOf = (key: string, { metadata }: KubeObject, subresource = ''): Target => {
    const resource = resourceOf(key);
    const namespace = resource.namespaced ? metadata.namespace : undefined;
    return { resource, version: resource.storageVersion, namespace, name: metadata.name, subresource };
  };
  return {
    get: (key, namespace, name) => api.store.get(resourceOf(key).storage, namespace, name),
    list(key, selection) {
      const resource = resourceOf(key);
      const stored = api.store.list(resource.storage);
      return selection
        ? stored.filter(selectionTest(resource, resource.storageVersion, selection))
        : [...stored];
    },
    create(key, object) {
      const target = targetOf(key, object);
      return create(api, target, toStored(target, object));
    },
    patch(key, object, changes, subresource = '') {
      const target = targetOf(key, object, subresource);
      const previous = mustExist(api, target);
      if (subresource === 'binding') {
        answerBinding(api, target, bindingTo(textAt(changes, 'spec', 'nodeName')));
        return existing(api, target) ?? previous;
      }
      return applyPatch(api, target, { previous, changes, change: mergeWithObject, options: {} });
    },
    remove(key, object, options = {}) {
      remove(api, targetOf(key, object), options, {});
    },
    evict(pod, options = {}) {
      const target = targetOf('pods', pod, 'eviction');
      refuseClosedNamespace(api, target.resource, target.namespace, target.name);
      evict(api, target, options);
    },
    watch: (key, listener) => deferred(api, resourceOf(key).storage, listener),
    versions: (key) => resourceOf(key).versions.map(({ name }) => name),
    resources: () => api.registry.all().map((resource) => resource.key),
  };
}

const bindingTo = (nodeName: string): ApiRequest => ({
  method: 'POST',
  path: '',
  body: JSON.stringify({ target: { name: nodeName } }),
});

/** Tells after the write has been answered: a listener that writes would otherwise see its own write before its answer. */
function deferred(api: Api, storage: string, listener: (event: ChangeEvent) => void): () => void {
  let isStopped = false;
  const stop = api.store.onChangeOf(storage, ({ type, object }) => {
    queueMicrotask(() => {
      if (!isStopped) listener({ type, object });
    });
  });
  return () => {
    isStopped = true;
    stop();
  };
}
