import * as z from 'zod';
import { rememberVainSearch } from '../cache/cache.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isTerminating } from '../dialects/fields.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { type Kubernetes, type WorkloadRef, workloadName } from '../kubernetes/client.ts';
import { Unavailable, Undetermined } from '../kubernetes/errors.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { compareProviderIds, type Machine } from '../machine/machine.ts';
import { ownOf } from '../machine/owner.ts';
import { isBefore } from '../machine/phase.ts';
import type { Subject } from '../phase/definition.ts';
import { type FoundNode, type NodeSearchResult, withFoundNode } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { readReferred } from './surroundings.ts';

interface Known {
  machine: Machine;
  dialect: Dialect;
  saved: Checkpoint | undefined;
  surroundings: ClusterState;
}

/** A Machine with its Node, if that is known, and whether the Node may be touched. */
type Sought = Pick<Subject, 'machine' | 'nodeDeletion' | 'nodeSearch'>;

/** The Machine with the name of its Node. Throws Unavailable if it is unknown whether the Node may be touched. */
export async function findNode(env: Environment, known: Known): Promise<Sought> {
  const { machine, nodeSearch } = withFoundNode({ machine: known.machine }, await search(env, known));
  // Several are not none. After a failed search a Node counts as there.
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
 * What follows from a failed search. If no Node was ever seen, there is none once the server may go. A server that
 * goes may take its cluster along for good. Then nothing that runs on the Node depends on finding it. At the end only
 * a Node without a server is left to delete.
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

/**
 * None, if the server is gone or goes. If that is unknown too, no time limit starts. Both APIs then get the longer
 * pause that one of them asked for.
 */
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

/** A deletion that has not begun waits this long, and this many tries, for the list of Nodes. */
const patienceMilliseconds = 60_000;
const minTries = 3;

/**
 * Counts the time that this instance has tried, not the age of the deletion. The Machine may have been paused, or
 * unseen, for most of that. A clock that is behind does not end it sooner.
 */
function isJustSought({ cache }: Environment, { ref }: Machine): boolean {
  const { times, milliseconds } = rememberVainSearch(cache, ref.uid);
  return times < minTries || milliseconds < patienceMilliseconds;
}

/** As long as for a control plane. A server and its Node belong together for good. */
const ageMilliseconds = 5_000;

/**
 * A Machine that lost or never got its nodeRef may still have a Node. This searches for it by providerID, once per
 * look. Throws Unavailable. Cluster API's own controller takes such a Machine to have no Node.
 */
export async function nodeByProviderId(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<FoundNode> {
  if (machine.nodeName !== undefined) return { kind: 'named', name: machine.nodeName };
  if (!dialect.findsNodes) return { kind: 'none' };
  const providerId = await providerIdOf(env, machine);
  const workload = dialect.workload(machine);
  if (providerId === undefined || workload === undefined) return { kind: 'none' };
  return foundIn((await nodeNames(env, workload)).get(providerId) ?? []);
}

/**
 * The Node of the server with this ID, whatever Node the Machine names. An ID that differs only in its form counts if
 * no Node has the exact one. Throws Unavailable.
 */
export async function findNodeOfServer(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  providerId: string,
): Promise<FoundNode> {
  const workload = dialect.workload(machine);
  if (workload === undefined) return { kind: 'none' };
  const names = await nodeNames(env, workload);
  const exact = names.get(providerId);
  if (exact !== undefined) return foundIn(exact);
  const alike = [...names].filter(
    ([id]) => id !== undefined && compareProviderIds(id, providerId) === 'in-form',
  );
  return foundIn(alike.flatMap(([, those]) => those));
}

function foundIn(names: readonly string[]): FoundNode {
  const [name, ...others] = names;
  if (name === undefined) return { kind: 'none' };
  return others.length === 0 ? { kind: 'named', name } : { kind: 'several', names };
}

/** The providerID of the Machine, or of its infrastructure object, which knows it first. Throws Unavailable. */
export async function providerIdOf(env: Environment, machine: Machine): Promise<string | undefined> {
  if (machine.providerId) return machine.providerId;
  return serverSchema.safeParse(await readServer(env, machine)).data?.spec.providerID;
}

/** The Machine's infrastructure object, at most `ageMilliseconds` old. Throws Unavailable. */
async function readServer(env: Environment, machine: Machine): Promise<KubeObject | undefined> {
  const ref = machine.infrastructure;
  if (ref === undefined) return undefined;
  const key = `server|${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
  const object = await env.cache.objects.get(key, ageMilliseconds, () => readReferred(env, ref));
  return ownOf(machine, ref, object);
}

const serverSchema = z.object({ spec: z.object({ providerID: z.string().min(1) }) });

type NodeNames = ReadonlyMap<string | undefined, readonly string[]>;

async function nodeNames(env: Environment, workload: WorkloadRef): Promise<NodeNames> {
  const api = await env.workloads.of(workload);
  const key = workloadName(workload);
  return env.cache.nodeNames.get(key, ageMilliseconds, () => readNodeNames(api));
}

/** A large cluster has many Nodes, and each names all its images. */
function named({ metadata: { name }, spec }: Node): Node {
  return { metadata: { name }, ...(spec?.providerID && { spec: { providerID: spec.providerID } }) };
}

async function readNodeNames(api: Pick<Kubernetes, 'list'>): Promise<NodeNames> {
  const { items } = await api.list(nodes, {}, named);
  const found = Map.groupBy<string | undefined, Node>(items, ({ spec }) => spec?.providerID);
  return new Map([...found].map(([id, those]) => [id, those.map(({ metadata }) => metadata.name)]));
}
