import { rememberVainSearch } from '../cache/node-search.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isTerminating } from '../dialects/fields.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { type Machine, withNode } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import { isDrainOpen } from '../phase/retreat.ts';
import type { FoundNode } from '../phase/snapshot.ts';
import { limitStart } from '../phase/time-limit.ts';
import type { Environment } from '../runtime/environment.ts';
import { nodeByProviderId, readServer } from './node-by-provider-id.ts';

interface Known {
  machine: Machine;
  dialect: Dialect;
  saved: Checkpoint | undefined;
  surroundings: ClusterState;
}

/** A Machine with its Node as far as that is known, and whether that may be touched. */
type Sought = Pick<Subject, 'machine' | 'nodeDeletion' | 'severalNodes'>;

/** The Machine's Node could not be searched for: that was an attempt of the phase that the Machine is in. */
export class NodeNotSearched extends Unavailable {}

/** There is a Node, and it could not be looked for. */
type Searched = FoundNode | { kind: 'unread' };

/**
 * The Machine with the name of its Node. The phases before the server goes are entered only with a Node: that it cannot be
 * looked for then does not mean that nothing runs on it any more, nor that nothing is attached to it. Throws Unavailable.
 */
export async function findNode(env: Environment, known: Known): Promise<Sought> {
  const { dialect, surroundings } = known;
  const found = await search(env, known);
  const machine = found.kind === 'named' ? withNode(known.machine, found.name) : known.machine;
  // Several are not none, and one that could not be searched for is there.
  const nodeDeletion = dialect.nodeDeletion(machine, surroundings, found.kind !== 'none');
  return { machine, nodeDeletion, ...(found.kind === 'several' && { severalNodes: found.names }) };
}

async function search(env: Environment, known: Known): Promise<Searched> {
  const { machine, dialect, saved } = known;
  try {
    return await nodeByProviderId(env, machine, dialect);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    if (!isUnderWay(env, known)) {
      env.log.warn('Node could not be looked for by providerID', { why: error.message });
      return { kind: isLookedForNext(saved) ? 'unread' : 'none' };
    }
    // Its cluster may have gone with it, for good. A Node that is deleted at the end is left by its server before.
    if (saved?.phase !== 'node' && (await isServerGoing(env, machine, error))) return { kind: 'none' };
    throw new NodeNotSearched(error.message, {
      cause: error,
      said: error.said,
      ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    });
  }
}

/**
 * Its drain and the wait for its volumes end without it, but not where their time begins only now. So do the phases before
 * its own: a Node that was drained is deleted next.
 */
const isLookedForNext = (saved: Checkpoint | undefined): boolean =>
  saved?.phase === 'drain' ||
  saved?.phase === 'volume-detach' ||
  (saved?.node !== undefined && saved.phase !== 'node');

/**
 * Whether the server is gone or on its way: then nothing that runs on the Node depends on finding it. Throws the failure of
 * the search where that is unknown, with the time that the server's API asks for.
 */
async function isServerGoing(env: Environment, machine: Machine, failure: Unavailable): Promise<boolean> {
  try {
    const server = await readServer(env, machine);
    return server === undefined || isTerminating(server);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    if (patienceOf(error) <= patienceOf(failure)) throw failure;
    const { message, said } = failure;
    throw new Unavailable(message, { cause: error, said, retryAfterSeconds: patienceOf(error) });
  }
}

const patienceOf = ({ retryAfterSeconds = 0 }: Unavailable): number => retryAfterSeconds;

/**
 * What is excluded, has timed out, or is of a Cluster that is being deleted ends with or without a look. So does what has
 * not begun, but not for an answer that is missing now and then.
 */
function isUnderWay(env: Environment, { machine, dialect, saved, surroundings }: Known): boolean {
  const { cluster } = surroundings;
  if (cluster !== undefined && isTerminating(cluster)) return false;
  if (saved === undefined) return isJustSought(env, machine);
  const { phase } = saved;
  if (phase === 'node')
    return saved.node !== undefined && !isNodeDeletionOver(env, { machine, dialect, saved });
  if (phase !== 'drain' && phase !== 'volume-detach')
    return phase === 'pre-drain' || isHeldLate({ machine, dialect, saved });
  const now = env.clock.now();
  const startedAt = limitStart({ checkpoint: saved, machine, dialect });
  if (dialect.gate(phase, machine, { startedAt, now, infrastructure: { kind: 'unseen' } }).allowed)
    return true;
  // Where volumes are waited for no more the Node is looked at once more, for Pods that have come to it.
  const drain = { machine, dialect, checkpoint: saved, nodeDeletion: { allowed: true } } as const;
  return phase === 'volume-detach' && isDrainOpen(drain, now);
}

const isNodeDeletionOver = (
  { clock }: Environment,
  { machine, dialect, saved }: Omit<Known, 'surroundings'> & { saved: Checkpoint },
): boolean =>
  dialect.isNodeDeletionOver(machine, limitStart({ checkpoint: saved, machine, dialect }), clock.now());

/** A late pre-drain hook holds a Machine that has a Node, and the one that was drained is there still. */
const isHeldLate = ({ machine, dialect, saved }: Omit<Known, 'surroundings'>): boolean =>
  saved?.node !== undefined && dialect.hooks(machine, 'pre-drain').length > 0;

/** So long, and so often, a deletion that has not begun waits for the Nodes to be listed. */
const patienceMilliseconds = 60_000;
const minTries = 3;

/**
 * By the time that this instance has tried, not by the age of the deletion: the Machine may have been paused, or unseen, for
 * most of that. A clock that is behind does not end it sooner.
 */
function isJustSought({ cache }: Environment, { ref }: Machine): boolean {
  const { times, milliseconds } = rememberVainSearch(cache, ref.uid);
  return times < minTries || milliseconds < patienceMilliseconds;
}
