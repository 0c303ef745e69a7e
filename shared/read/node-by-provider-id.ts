import * as z from 'zod';
import type { Dialect } from '../dialects/dialect.ts';
import { type Kubernetes, type WorkloadRef, workloadName } from '../kubernetes/client.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import { compareProviderIds, type Machine } from '../machine/machine.ts';
import { ownOf } from '../machine/owner.ts';
import type { FoundNode } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { readReferred } from './surroundings.ts';

/** As long as of a control plane: servers and Nodes that belong together do so for good. */
const ageMilliseconds = 5_000;

/**
 * A Machine that lost or never got its nodeRef may still have a Node: it is looked for by providerID, once per look. Throws
 * Unavailable, where a Machine of Cluster API has no Node for its controller.
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
 * The Node of the server with this ID, whatever Node the Machine names. An ID that differs only in its form counts where
 * no Node has the very same one. Throws Unavailable.
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

/** The Machine's, or its infrastructure object's, which knows it first. Throws Unavailable. */
export async function providerIdOf(env: Environment, machine: Machine): Promise<string | undefined> {
  if (machine.providerId) return machine.providerId;
  return serverSchema.safeParse(await readServer(env, machine)).data?.spec.providerID;
}

/** The Machine's infrastructure object, as it was not long ago. Throws Unavailable. */
export async function readServer(env: Environment, machine: Machine): Promise<KubeObject | undefined> {
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

/** Nodes are many in a large cluster, and each names all its images. */
function named({ metadata: { name }, spec }: Node): Node {
  return { metadata: { name }, ...(spec?.providerID && { spec: { providerID: spec.providerID } }) };
}

async function readNodeNames(api: Pick<Kubernetes, 'list'>): Promise<NodeNames> {
  const { items } = await api.list(nodes, {}, named);
  const found = Map.groupBy<string | undefined, Node>(items, ({ spec }) => spec?.providerID);
  return new Map([...found].map(([id, those]) => [id, those.map(({ metadata }) => metadata.name)]));
}
