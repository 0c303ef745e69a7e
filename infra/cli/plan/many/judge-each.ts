import { type TopMaker, topMakerOf } from '../../../../shared/assess/makers.ts';
import { shownDialect } from '../../../../shared/assess/shown-dialect.ts';
import { forEachLimited } from '../../../../shared/async/parallel.ts';
import { type Dialect, MachineUnreadable } from '../../../../shared/dialects/dialect.ts';
import { type JudgedMachine, judge, judgeUnread } from '../../../../shared/explain/fleet/fleet-plan.ts';
import { podsThatHold } from '../../../../shared/explain/fleet/made.ts';
import type { Seen } from '../../../../shared/explain/seen.ts';
import { type WorkloadRef, workloadName } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { type KubeObject, uidOf } from '../../../../shared/kubernetes/objects.ts';
import { seenOf } from '../../explain/explained.ts';
import type { Looker } from '../../look/looker.ts';
import type { LookSource } from '../../look/options.ts';

export interface Judging {
  looker: Looker;
  source: LookSource;
  /** Hears of each that is done. */
  judged: () => void;
}

/** Judges each Machine alone. One cluster comes after the other: only its lists are held. */
export async function judgeEach(machines: readonly KubeObject[], judging: Judging): Promise<JudgedMachine[]> {
  const all: JudgedMachine[] = [];
  const { dialects } = judging.looker.environment;
  const clusters = Map.groupBy(machines, (raw) => {
    const workload = nodesIn(raw, dialects);
    return workload === undefined ? '' : workloadName(workload);
  });
  for (const those of clusters.values()) {
    const judged = await forEachLimited(those, async (raw) => {
      const one = await judgeOne(raw, judging);
      judging.judged();
      return one;
    });
    all.push(...judged.flatMap((one) => one ?? []));
  }
  return all;
}

/** Undefined where the Machine makes no sense: it says so where it is judged. */
function nodesIn(raw: KubeObject, dialects: readonly Dialect[]): WorkloadRef | undefined {
  try {
    const dialect = shownDialect(raw, dialects);
    return dialect?.workload(dialect.read(raw));
  } catch (error) {
    if (error instanceof MachineUnreadable) return undefined;
    throw error;
  }
}

/** Undefined where it has gone meanwhile. One that cannot be looked at keeps no other from being judged. */
async function judgeOne(raw: KubeObject, { looker, source }: Judging): Promise<JudgedMachine | undefined> {
  try {
    const seen = await seenOf({ looker, source, raw });
    if (seen === undefined) return undefined;
    const workload = seen.dialect.workload(seen.machine);
    return judge({ seen, workload, makers: await makersOf(seen, workload, looker) });
  } catch (error) {
    const { apiVersion = '', metadata } = raw;
    const { namespace = '', name, uid = '' } = metadata;
    const ref = { apiVersion, namespace, name, uid };
    if (error instanceof Unavailable)
      return judgeUnread(ref, error.statusText, nodesIn(raw, looker.environment.dialects));
    if (error instanceof MachineUnreadable) return judgeUnread(ref, error.message);
    throw error;
  }
}

/** What makes the Pods that hold it. */
async function makersOf(
  seen: Seen,
  workload: WorkloadRef | undefined,
  { environment }: Pick<Looker, 'environment'>,
): Promise<ReadonlyMap<string, TopMaker>> {
  const pods = podsThatHold(seen);
  if (workload === undefined || pods.length === 0) return new Map();
  const cluster = await environment.workloads.of(workload);
  const read = { get: (_side: unknown, ...asked: Parameters<typeof cluster.get>) => cluster.get(...asked) };
  const made = await Promise.all(pods.map(async (pod) => [uidOf(pod), await topMakerOf(read, pod)] as const));
  return new Map(made.flatMap(([uid, maker]) => (maker === undefined ? [] : [[uid, maker] as const])));
}
