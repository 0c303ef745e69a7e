import type { Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import type { NodeFinder } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { otherClaims } from './cluster-machines.ts';
import { findNodeOfServer, nodeByProviderId, providerIdOf } from './node-by-provider-id.ts';

/** The searches for one Machine's Node, and what this instance remembers of them. */
export function nodeFinderFor(env: Environment, machine: Machine, dialect: Dialect): NodeFinder {
  const { uid } = machine.ref;
  return {
    find: () => nodeByProviderId(env, machine, dialect),
    providerId: () => providerIdOf(env, machine),
    ofServer: (providerId) => findNodeOfServer(env, machine, dialect, providerId),
    otherClaims: () => otherClaims(env, machine, dialect),
    known: () => env.cache.notes(uid).ownNode,
    remember: (own) => env.cache.note(uid, { ownNode: own }),
  };
}
