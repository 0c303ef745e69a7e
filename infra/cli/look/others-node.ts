import { notOwnNode } from '../../../shared/assess/not-own-node.ts';
import { shownDialect } from '../../../shared/assess/shown-dialect.ts';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';

/**
 * Why a Machine keeps our hook. Its own controller would delete a Node that is not proven to be the Machine's.
 * Undefined where that cannot be.
 */
export type OthersNode = (
  machine: Pick<KubeObject, 'metadata'>,
  resource: Resource,
) => Promise<string | undefined>;

/** By the judgement of a step. A Machine that lives is in no danger: what it names may change until it is deleted. */
export const othersNodeBy =
  (environment: () => Environment): OthersNode =>
  async ({ metadata: { namespace = '', name, uid, deletionTimestamp } }, resource) => {
    if (deletionTimestamp === undefined) return undefined;
    const env = environment();
    try {
      // What lists hooks holds less of it.
      const raw = await env.management.get(resource, { namespace, name });
      if (raw === undefined || raw.metadata.uid !== uid) return undefined;
      const dialect = shownDialect(raw);
      if (dialect?.beside === undefined) return undefined;
      return (await notOwnNode({ ...env, dialects: [dialect] }, dialect.read(raw), dialect))?.why;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return `whether the Node that it names is its own could not be looked at: ${error.statusText}`;
    }
  };
