import { conditionsIn, find } from '../dialects/conditions.ts';
import { type Dialect, resourceOf } from '../dialects/dialect.ts';
import { workloadName } from '../kubernetes/client.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { Machine } from '../machine/machine.ts';
import { goesByCluster } from '../machine/selection.ts';
import type { Subject } from '../phase/definition.ts';
import type { SeenPlaces } from '../phase/places.ts';
import { type Policies, readPolicies } from '../policies/drain-policy.ts';
import type { Member, PolicyView } from '../policies/places.ts';
import type { Environment } from '../runtime/environment.ts';
import { servedVersion } from './list-machines.ts';
import { readOrNone } from './machine.ts';
import { ownObjectsNow } from './own-objects.ts';
import { memberOf, unreadableMember } from './policy-members.ts';
import { held, provenGone } from './proven-gone.ts';
import { ClusterMissing, readCluster } from './surroundings.ts';

/** A Machine that was listed, in the API that has it. */
export interface ListedMember {
  dialect: Dialect;
  raw: KubeObject;
  /** Undefined where its fields make no sense. */
  machine: Machine | undefined;
}

type Looking = Pick<Subject, 'machine' | 'dialect' | 'surroundings'>;

/**
 * All that the places of a Machine follow from, read now: the DrainPolicies and the Machines of its namespace. Nodes
 * are read where Machines do not tell of them. Throws Unavailable: what is unknown lets none begin.
 */
export async function policyViewFor(env: Environment, looking: Looking): Promise<SeenPlaces> {
  const { namespace, uid } = looking.machine.ref;
  const [objects, listed] = await Promise.all([
    ownObjectsNow({ kind: 'DrainPolicy', namespace }, env),
    listMembers(env, namespace),
  ]);
  const policies = readPolicies(objects);
  const ready = await readyNodes(env, listed);
  const own = await ownMember(env, looking, ready);
  const others = await Promise.all(
    listed
      .filter(({ raw }) => raw.metadata.uid !== uid)
      .map((each) => other(env, looking, { policies, ready, each })),
  );
  const there = new Set(listed.map(({ raw }) => raw.metadata.uid ?? ''));
  const view: PolicyView = {
    ...policies,
    members: [own, ...others],
    gone: await provenGone(env, policies, there),
  };
  return { view, member: own };
}

/** All Machines of a namespace that a DrainPolicy may be for, read now. Looks at the same moment share that. */
export async function listMembers(env: Environment, namespace: string): Promise<ListedMember[]> {
  const lists = await Promise.all(
    held(env).map(async (dialect): Promise<ListedMember[]> => {
      const version = await servedVersion(env, dialect);
      if (version === undefined) return [];
      const resource = resourceOf(dialect, version);
      const { items } = await env.cache.nextLists.get(`places|${dialect.group}|${namespace}`, () =>
        env.management.list(resource, { namespace }),
      );
      return items.map((raw) => ({ dialect, raw, machine: readOrNone(dialect, raw) }));
    }),
  );
  return lists.flat();
}

/** Whether Nodes are Ready, for Machines that do not tell of theirs, by workload cluster and name. */
type ReadyNodes = ReadonlyMap<string, boolean>;

async function readyNodes(env: Environment, listed: readonly ListedMember[]): Promise<ReadyNodes> {
  const asking = listed.flatMap(({ dialect, machine }) =>
    dialect.nodeReadiness === undefined && machine !== undefined ? (dialect.workload(machine) ?? []) : [],
  );
  const workloads = new Map(asking.map((ref) => [workloadName(ref), ref]));
  const lists = await Promise.all(
    [...workloads].map(async ([name, ref]) => {
      const cluster = await env.workloads.of(ref);
      const { items } = await env.cache.nextLists.get(`readiness|${name}`, () =>
        cluster.list(nodes, {}, readinessOf),
      );
      return items.map((node): [string, boolean] => [`${name}|${node.metadata.name}`, isReady(node)]);
    }),
  );
  return new Map(lists.flat());
}

const isReady = ({ status }: Node): boolean => find(conditionsIn(status), 'Ready')?.status === 'True';

/** There may be very many Nodes. */
const readinessOf = ({ metadata: { name }, status }: KubeObject): KubeObject => {
  const ready = find(conditionsIn(status), 'Ready');
  return { metadata: { name }, status: { conditions: ready === undefined ? [] : [ready] } };
};

function nodeReady(machine: Machine, dialect: Dialect, ready: ReadyNodes): boolean | undefined {
  const workload = dialect.workload(machine);
  return workload === undefined ? undefined : ready.get(`${workloadName(workload)}|${machine.nodeName}`);
}

/** The Machine of this look. What holds it elsewhere has been seen: it has come to the wait for places. */
async function ownMember(
  env: Environment,
  { machine, dialect, surroundings: { cluster } }: Looking,
  ready: ReadyNodes,
): Promise<Member> {
  const { begunAt: _, ...member } = memberOf(env, machine, {
    dialect,
    cluster,
    isNodeReady: nodeReady(machine, dialect, ready),
  });
  return { ...member, deletedAt: member.deletedAt ?? env.clock.now(), waitsElsewhere: false };
}

async function other(
  env: Environment,
  looking: Looking,
  { policies, ready, each }: { policies: Policies; ready: ReadyNodes; each: ListedMember },
): Promise<Member> {
  const { machine, dialect, raw } = each;
  if (machine === undefined) return unreadableMember(raw);
  const isNodeReady = nodeReady(machine, dialect, ready);
  const member = memberOf(env, machine, { dialect, cluster: looking.surroundings.cluster, isNodeReady });
  const isWaiting = member.deletedAt !== undefined && member.begunAt === undefined;
  const isByCluster = [...policies.policies, ...policies.unclear].some(
    ({ spec }) => spec === undefined || goesByCluster(spec),
  );
  const isSameCluster = machine.clusterName === looking.machine.clusterName && dialect === looking.dialect;
  if (isSameCluster || (!isWaiting && !isByCluster)) return member;
  try {
    const cluster = await readCluster(env, machine, dialect, 'it waits for no place');
    return memberOf(env, machine, { dialect, cluster, isNodeReady });
  } catch (error) {
    if (!(error instanceof ClusterMissing)) throw error;
    const alone = memberOf(env, machine, { dialect, cluster: undefined, isNodeReady });
    return { ...alone, waitsElsewhere: true };
  }
}
