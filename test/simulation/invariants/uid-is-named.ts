import type { Invariant } from './invariant.ts';
import { cordonsByServer, versionIn } from './sight/json-patch.ts';
import { judgingRequests } from './sight/judging.ts';
import { type EffectKind, sendsPodsAway } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

const removing: readonly EffectKind[] = [
  ...sendsPodsAway,
  ...(['cordon', 'show drain', 'delete Node'] as const),
  ...(['delete infrastructure', 'delete bootstrap'] as const),
  ...(['write Machine', 'write status', 'mark drained', 'write hook status', 'write policy status'] as const),
];

/** Whose UID it is, the server tests. */
export const uidIsNamed: Invariant = {
  name: 'every eviction, every delete and every write of a Machine, Node, Deployment or object of our own kinds names the UID that it means, and a cordon at least the server',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      ({ kind, exchange, uid = '' }) => {
        const isMeant = removing.includes(kind) || exchange.verb === 'delete';
        const isNamed = uid !== '' || (kind === 'cordon' && cordonsByServer(exchange.body));
        return isMeant && !isNamed ? 'no UID is named' : undefined;
      },
      violated,
    );
  },
};

/** A decision about a Machine applies to that very state of it, or not at all. The server tests that too. */
export const versionIsNamed: Invariant = {
  name: 'every write of a Machine, Deployment or object of our own kinds names the version that it was made from',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      ({ kind, exchange: { body } }) =>
        writing.includes(kind) && versionIn(body) === undefined ? 'no version is named' : undefined,
      violated,
    );
  },
};

const writing: readonly EffectKind[] = [
  ...(['write Machine', 'write status', 'take finalizer', 'hand over', 'mark drained'] as const),
  ...(['write hook status', 'write policy status', 'restart'] as const),
];
