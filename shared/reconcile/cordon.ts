import { cordonedOther, notPermitted } from '../drain/node.ts';
import type { Kubernetes, WriteOutcome } from '../kubernetes/client.ts';
import { reworded, Unavailable } from '../kubernetes/errors.ts';
import { nodes } from '../kubernetes/resources.ts';
import { listControlPlane } from '../observe/control-plane.ts';
import type { Effect } from '../phase/decision.ts';
import { takeLease } from '../write/lease.ts';
import type { EffectContext } from './step.ts';

type Cordon = Effect & { kind: 'cordon' };

/** Cordons the Node. Throws Unavailable when that failed, or was not permitted. */
export async function cordon(effect: Cordon, context: EffectContext): Promise<void> {
  const { snapshot, env } = context;
  const api = await context.workload();
  env.log.info('Cordoning Node', { Node: effect.node });
  const age = env.clock.stopwatch();
  const outcome = await (effect.exclusive === undefined ? patch(effect, api) : alone(effect, context, api));
  snapshot.recordWrite({ side: 'workload', resource: nodes, key: { name: effect.node } }, outcome, age);
  if (outcome.kind === 'refused' || outcome.kind === 'conflict') {
    throw new Unavailable(notCordoned(effect.node, outcome.message));
  }
}

/** The UID in the patch makes the API server refuse it for another Node of that name. */
async function patch({ node: name, uid }: Cordon, api: Kubernetes): Promise<WriteOutcome> {
  try {
    return await api.mergePatch(nodes, { name }, { metadata: { uid }, spec: { unschedulable: true } });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    throw reworded(error, (why) => notCordoned(name, why));
  }
}

const notCordoned = (name: string, why: string): string => `failed to cordon Node ${name}: ${why}`;

/** One Lease for all control plane Nodes: OpenShift keeps its Machines in one namespace. */
const leaseName = 'phaseout-control-plane-cordon';

/**
 * What was seen before the Lease was taken may be old, so this lists the control plane again under it. A cordon
 * without an answer may still be on its way. Then the Lease stays, until it expires.
 */
async function alone(
  effect: Cordon,
  { env, subject }: EffectContext,
  api: Kubernetes,
): Promise<WriteOutcome> {
  const namespace = effect.exclusive?.namespace ?? '';
  const holder = `${env.instance}/${subject.machine.ref.name}`;
  const lease = await takeLease(env, api, { namespace, name: leaseName, holder });
  if (lease === undefined) {
    // The status has the peers' words, which do not name the holder. So the log names the Lease.
    const waitsFor = `Lease ${namespace}/${leaseName}`;
    env.log.info('Node is not cordoned yet', { Node: effect.node, waitsFor });
    throw new Unavailable(notPermitted);
  }
  try {
    const other = cordonedOther(await listControlPlane(api), effect.uid);
    if (other !== undefined || !lease.isHeld()) throw new Unavailable(notPermitted);
  } catch (error) {
    await lease.release();
    throw error;
  }
  const outcome = await patch(effect, api);
  await lease.release();
  return outcome;
}
