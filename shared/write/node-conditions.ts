import { noteReported, reported } from '../cache/ledger.ts';
import { type DrainConditions, withDrainConditions } from '../drain/node.ts';
import type { WorkloadCluster } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { Machine } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import { letGo } from '../phase/drain-conditions.ts';
import { workloadOf } from '../read/open-snapshot.ts';
import type { Environment } from '../runtime/environment.ts';

/** The conditions to set, for which Machine, and where its Node is. */
interface NodeReport {
  machine: Machine;
  conditions: DrainConditions;
  /** Of the Machine's own Node, if that is known. */
  uid?: string | undefined;
  workload: () => Promise<WorkloadCluster>;
  /** Set at each look, so the Node is not read again within a minute. */
  isRepeated: boolean;
}

const repeatMilliseconds = 60_000;

/**
 * Sets the conditions of the drain on the Node, if the configuration asks for it. The deletion never waits for it.
 * The next look tries again what failed. A refused write is not tried again for this Machine.
 */
export async function setNodeConditions(env: Environment, report: NodeReport): Promise<void> {
  const { machine, conditions, isRepeated } = report;
  const { uid } = machine.ref;
  const { nodeConditions: shown } = reported(env.cache, uid);
  if (!env.settings.nodeConditions || machine.nodeName === undefined || shown === 'refused') return;
  const isKnown = shown?.stage === conditions.stage && shown.age() < repeatMilliseconds;
  if (isRepeated && isKnown) return;
  try {
    const outcome =
      (await setOnce(env, report, machine.nodeName)) ?? (await setOnce(env, report, machine.nodeName));
    if (outcome === undefined) return;
    const age = env.clock.stopwatch();
    noteReported(env.cache, uid, {
      nodeConditions: outcome === 'refused' ? outcome : { stage: conditions.stage, age },
    });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.info('Node does not show the drain', { Node: machine.nodeName, why: error.message });
  }
}

/** A living Node must not go on showing a drain once others have its Machine. */
export const setNodeLetGo = (
  env: Environment,
  left: Pick<Subject, 'machine' | 'dialect'>,
  why: string,
): Promise<void> =>
  setNodeConditions(env, {
    machine: left.machine,
    conditions: letGo(left.machine, why),
    workload: workloadOf(env, left),
    isRepeated: true,
  });

/**
 * Undefined if the Node has changed meanwhile. Writes the whole list of conditions over the version that was read, so
 * those of others stay.
 */
async function setOnce(
  env: Environment,
  { conditions: wanted, uid: own, workload }: NodeReport,
  name: string,
): Promise<'settled' | 'refused' | undefined> {
  const api = await workload();
  const node: Node | undefined = await api.get(nodes, { name });
  if (node === undefined || (own !== undefined && node.metadata.uid !== own)) return 'settled';
  const conditions = withDrainConditions(node, wanted, env.clock.now());
  if (conditions === undefined) return 'settled';
  const { uid, resourceVersion } = node.metadata;
  const patch = { metadata: { uid, resourceVersion }, status: { conditions } };
  const outcome = await api.mergePatch(nodes, { name }, patch, 'status');
  if (outcome.kind === 'conflict') return undefined;
  if (outcome.kind === 'written') return 'settled';
  env.log.warn('Node may not show the drain', {
    Node: name,
    why: outcome.kind === 'gone' ? 'not found' : outcome.message,
  });
  return 'refused';
}
