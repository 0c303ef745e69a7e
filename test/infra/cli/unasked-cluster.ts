import type { KubernetesForTools } from '../../../shared/adapters/kubernetes/install-client.ts';

const unasked = (): never => {
  throw new Error('nobody should ask for this');
};

/** A cluster that takes only those requests that a test puts in the place of these. */
export const unaskedCluster: KubernetesForTools = {
  discover: unasked,
  get: unasked,
  list: unasked,
  watch: unasked,
  apply: unasked,
  mergePatch: unasked,
  jsonPatch: unasked,
  create: unasked,
  delete: unasked,
  deleteWithDependents: unasked,
  evict: unasked,
  close: unasked,
};
