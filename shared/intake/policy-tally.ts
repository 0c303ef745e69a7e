import { forEachLimited } from '../async/parallel.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { readOr, Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { goesByCluster, mayBeSelected } from '../machine/selection.ts';
import { whyNotAsked } from '../phase/hooks-ahead.ts';
import { type DrainPolicy, readDrainPolicy } from '../policies/drain-policy.ts';
import { inLine, isWindowOpen, type Member } from '../policies/places.ts';
import { policyStatusOf } from '../policies/status.ts';
import { nextOpening } from '../policies/windows.ts';
import type { See } from '../read/list-machines.ts';
import { readOrNone } from '../read/machine.ts';
import { type ListedOwn, listOwnObjects } from '../read/own-objects.ts';
import { memberOf, shownWait } from '../read/policy-members.ts';
import { provenGone } from '../read/proven-gone.ts';
import type { Environment } from '../runtime/environment.ts';
import { saveOwnStatus } from '../write/own-status.ts';

/** What a sweep sees of the Machines of each DrainPolicy. */
export interface PolicyTally {
  /** A Machine that is there, as it was listed. A list may start again. */
  see: See;
  /** Whether the Machine waits for a window that opens later than the next sweep comes. Then no step is due for it. */
  rests: (uid: string) => boolean;
  /** Writes the status of those with another one. All Machines have been seen. */
  write: () => Promise<void>;
}

const none: PolicyTally = { see: () => undefined, rests: () => false, write: async () => undefined };

/** A sweep of everything comes every three minutes. */
const soonMilliseconds = 200_000;

/** Nothing is read but one list of DrainPolicies, and not that where there is no such kind. Never throws. */
export async function openPolicyTally(env: Environment): Promise<PolicyTally> {
  if (env.dialects.every((dialect) => whyNotAsked(dialect) !== undefined)) return none;
  try {
    const listed = await listOwnObjects(env, 'DrainPolicy');
    return listed === undefined ? none : tallyOf(env, listed);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.warn('DrainPolicies could not be listed', { why: error.message });
    return none;
  }
}

/** A DrainPolicy, and the Machines that it may select, by UID. */
interface Counted {
  object: KubeObject;
  policy: DrainPolicy | undefined;
  members: Map<string, Member>;
  /** UIDs of those that show that they wait in the line. */
  shown: Set<string>;
}

function tallyOf(env: Environment, { resource, items }: ListedOwn): PolicyTally {
  const all = items.map((object): Counted => {
    const reading = readDrainPolicy(object);
    const policy = reading.kind === 'read' ? reading.policy : undefined;
    return { object, policy, members: new Map(), shown: new Set() };
  });
  const byNamespace = Map.groupBy(all, ({ object }) => object.metadata.namespace ?? '');
  const there = new Set<string>();
  return {
    see(dialect, raw) {
      const here = byNamespace.get(raw.metadata.namespace ?? '') ?? [];
      if (here.length === 0) return;
      there.add(raw.metadata.uid ?? '');
      count(env, here, { dialect, raw });
    },
    rests: (uid) =>
      !all.some((each) => hasPlace(each, uid)) && all.some((each) => waitsLong(each, uid, env.clock.now())),
    async write() {
      const policies = all.flatMap(({ policy }) => policy ?? []);
      const gone = await readOr<ReadonlySet<string>>(new Set(), () => provenGone(env, { policies }, there));
      await forEachLimited(all, async (each) => {
        const status = policyStatusOf(
          each.object,
          { ...seenOf(each), gone, granted: env.settings.actions },
          env.clock.now(),
        );
        await saveOwnStatus(env, resource, { kind: 'DrainPolicy', object: each.object }, { ...status });
      });
      showPolicies(env, all);
    },
  };
}

function count(
  env: Environment,
  here: readonly Counted[],
  { dialect, raw }: { dialect: Dialect; raw: KubeObject },
): void {
  if (whyNotAsked(dialect) !== undefined) return;
  const machine = readOrNone(dialect, raw);
  if (machine === undefined) return;
  const { uid } = machine.ref;
  for (const { policy, members, shown } of here) {
    if (policy === undefined || !mayBeSelected(policy.spec, machine)) continue;
    members.set(uid, memberOf(env, machine, { dialect, cluster: undefined }));
    if (shownWait(machine, dialect) === 'WaitingForDrainPolicy') shown.add(uid);
  }
}

const waitingIn = ({ members }: Counted): Member[] =>
  inLine([...members.values()]).filter(({ waitsElsewhere }) => !waitsElsewhere);

function seenOf(counted: Counted) {
  const { policy, members } = counted;
  const isCounted = policy !== undefined && !goesByCluster(policy.spec);
  return {
    selected: isCounted ? members.size : undefined,
    counting: [...members.values()].flatMap(({ uid, begunAt }) => (begunAt === undefined ? [] : [uid])),
    waiting: waitingIn(counted).length,
  };
}

/** What has begun goes on after the window. */
const hasPlace = ({ policy }: Counted, uid: string): boolean =>
  policy?.begun.some((begun) => begun.uid === uid) === true;

/** Where Nodes are asked, a Machine does not tell whether it may begin without a window. */
function waitsLong({ policy, members, shown }: Counted, uid: string, now: number): boolean {
  const member = members.get(uid);
  if (policy === undefined || member === undefined || !shown.has(uid) || goesByCluster(policy.spec))
    return false;
  if (member.begunAt !== undefined || member.waitsElsewhere || isWindowOpen(policy, member, now))
    return false;
  if (policy.spec.windowsFor === 'Healthy' && member.isReady === undefined) return false;
  const opensAt = nextOpening(policy.spec.windows, now);
  return opensAt !== undefined && opensAt - now > soonMilliseconds;
}

/** A namespace has few DrainPolicies. With a namespace for each cluster those of most Machines are enough. */
const maxSeries = 100;

/** How many Machines have begun and wait, for each DrainPolicy. */
function showPolicies(env: Environment, all: readonly Counted[]): void {
  const readings = all.flatMap((counted) => {
    const { metadata } = counted.object;
    const labels = { machine_namespace: metadata.namespace ?? '', policy: metadata.name };
    const begun = [...counted.members.values()].filter(({ begunAt }) => begunAt !== undefined);
    return [
      { labels: { ...labels, standing: 'begun' }, value: begun.length },
      { labels: { ...labels, standing: 'waiting' }, value: waitingIn(counted).length },
    ];
  });
  const most = readings.toSorted((one, other) => other.value - one.value);
  env.metrics.replace('policyMachines', most.slice(0, maxSeries));
}
