import * as z from 'zod';
import { ownOf } from '../controlled-by.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import { type Kubernetes, nodes, type WorkloadRef, workloadName } from '../kubernetes/port.ts';
import type { Machine } from '../machine/machine.ts';
import type { Environment } from './environment.ts';
import { readReferred } from './surroundings.ts';

/** As long as of a control plane: servers and Nodes that belong together do so for good. */
const ageMilliseconds = 5_000;

/**
 * A Machine that lost or never got its nodeRef may still have a Node: it is looked for by providerID, once per look. Throws
 * CouldNotLook, where a Machine of Cluster API has no Node for its controller.
 */
export async function lookForNodeName(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<string | undefined> {
  if (machine.nodeName !== undefined || !dialect.findsNodes) return machine.nodeName;
  const providerId = machine.providerId ?? (await providerIdOfServer(env, machine));
  const workload = dialect.workload(machine);
  if (providerId === undefined || workload === undefined) return undefined;
  return nodeOf(env, workload, providerId);
}

/** The infrastructure knows it before the Machine does. */
async function providerIdOfServer(env: Environment, machine: Machine): Promise<string | undefined> {
  return serverSchema.safeParse(await readServer(env, machine)).data?.spec.providerID;
}

/** The Machine's infrastructure object, as it was not long ago. Throws CouldNotLook. */
export async function readServer(env: Environment, machine: Machine): Promise<KubeObject | undefined> {
  const ref = machine.infrastructure;
  if (ref === undefined) return undefined;
  const key = `server|${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
  const object = await env.memory.objects.get(key, ageMilliseconds, () => readReferred(env, ref));
  return ownOf(machine, ref, object);
}

const serverSchema = z.object({ spec: z.object({ providerID: z.string().min(1) }) });

async function nodeOf(
  env: Environment,
  workload: WorkloadRef,
  providerId: string,
): Promise<string | undefined> {
  const api = await env.workloads.of(workload);
  const key = workloadName(workload);
  const names = await env.memory.nodeNames.get(key, ageMilliseconds, () => readNodeNames(api));
  const [name, ...others] = names.get(providerId) ?? [];
  return others.length === 0 ? name : undefined;
}

/** Nodes are many in a large cluster, and each names all its images. */
function named({ metadata: { name }, spec }: Node): Node {
  return { metadata: { name }, ...(spec?.providerID && { spec: { providerID: spec.providerID } }) };
}

async function readNodeNames(
  api: Pick<Kubernetes, 'list'>,
): Promise<ReadonlyMap<string | undefined, readonly string[]>> {
  const { items } = await api.list(nodes, {}, named);
  const found = Map.groupBy<string | undefined, Node>(items, ({ spec }) => spec?.providerID);
  return new Map([...found].map(([id, those]) => [id, those.map(({ metadata }) => metadata.name)]));
}
