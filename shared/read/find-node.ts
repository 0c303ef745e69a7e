import { rememberVainSearch } from '../cache/node-search.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isTerminating } from '../dialects/fields.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { Unavailable, Undetermined } from '../kubernetes/errors.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import { isBefore } from '../machine/phase.ts';
import type { Subject } from '../phase/definition.ts';
import { withFoundNode } from '../phase/found-node.ts';
import type { NodeSearchResult } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { nodeByProviderId, readServer } from './node-by-provider-id.ts';

interface Known {
  machine: Machine;
  dialect: Dialect;
  saved: Checkpoint | undefined;
  surroundings: ClusterState;
}

/** A Machine with its Node as far as that is known, and whether that may be touched. */
type Sought = Pick<Subject, 'machine' | 'nodeDeletion' | 'nodeSearch'>;

/** The Machine with the name of its Node. Throws Unavailable where it is unknown whether that may be touched. */
export async function findNode(env: Environment, known: Known): Promise<Sought> {
  const { machine, nodeSearch } = withFoundNode({ machine: known.machine }, await search(env, known));
  // Several are not none, and one that could not be searched for is there.
  const nodeDeletion = known.dialect.nodeDeletion(machine, known.surroundings, nodeSearch.kind !== 'none');
  return { machine, nodeSearch, nodeDeletion };
}

async function search(env: Environment, known: Known): Promise<NodeSearchResult> {
  try {
    return await nodeByProviderId(env, known.machine, known.dialect);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.warn('Node could not be looked for by providerID', { why: error.message });
    return unread(env, known, error);
  }
}

/**
 * What a failed search comes to. Where no Node was ever seen there is none for who cannot look, once the server may go. A
 * server that goes may take its cluster along, for good: then nothing that runs on the Node depends on finding it. What is
 * left to do at the end is to delete a Node whose server is gone.
 */
async function unread(env: Environment, known: Known, why: Unavailable): Promise<NodeSearchResult> {
  const { machine, dialect, saved } = known;
  if (saved === undefined && !isJustSought(env, machine)) return { kind: 'none' };
  const isEarly = saved === undefined || isBefore(saved.phase, 'pre-terminate');
  if (!isEarly && saved.node === undefined) return { kind: 'none' };
  // A late pre-drain hook holds a Machine that has a Node.
  const isHeldLate = saved?.phase !== 'node' && dialect.hooks(machine, 'pre-drain').length > 0;
  return isEarly || isHeldLate ? unlessServerGoes(env, machine, why) : { kind: 'unread', why };
}

/** Where that is unknown, too, no time limit starts, and both APIs are left alone for as long as they ask. */
async function unlessServerGoes(
  env: Environment,
  machine: Machine,
  why: Unavailable,
): Promise<NodeSearchResult> {
  try {
    const server = await readServer(env, machine);
    return server === undefined || isTerminating(server) ? { kind: 'none' } : { kind: 'unread', why };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const { message, statusText, retryAfterSeconds = 0 } = why;
    const longer = Math.max(retryAfterSeconds, error.retryAfterSeconds ?? 0);
    return {
      kind: 'unread',
      why: new Undetermined(message, { statusText, retryAfterSeconds: longer, cause: why }),
    };
  }
}

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
