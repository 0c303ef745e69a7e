import { cordonedOther, notPermitted } from '../drain/node.ts';
import type { Kubernetes, WriteOutcome } from '../kubernetes/client.ts';
import { reworded, Unavailable } from '../kubernetes/errors.ts';
import { nodes } from '../kubernetes/resources.ts';
import { listControlPlane } from '../observe/control-plane.ts';
import type { Effect } from '../phase/decision.ts';
import { takeLease } from '../write/lease.ts';
import type { EffectContext } from './step.ts';

type Cordon = Effect & { kind: 'cordon' };
type KnownNode = Extract<Cordon, { uid: string }>;
type UnreadNode = Exclude<Cordon, KnownNode>;

/**
 * Cordons the Node. If it was not read, the API server tests whose it is. The same look reads it then if it is another's, or has
 * gone. Throws Unavailable when that failed, or was not permitted.
 */
export async function cordon(effect: Cordon, context: EffectContext): Promise<void> {
  const { snapshot, env } = context;
  const { node: name } = effect;
  const api = await context.workload();
  env.log.info('Cordoning Node', { Node: name });
  const isUnread = 'proof' in effect;
  const age = env.clock.stopwatch();
  const outcome = await (isUnread ? patchTested(effect, api) : patchKnown(effect, context, api));
  snapshot.recordWrite({ side: 'workload', resource: nodes, key: { name } }, outcome, age);
  if (outcome.kind === 'refused' || (outcome.kind === 'conflict' && !isUnread)) {
    throw new Unavailable(notCordoned(name, outcome.message));
  }
}

const patchTested = ({ node: name, proof }: UnreadNode, api: Kubernetes): Promise<WriteOutcome> =>
  told(name, () =>
    api.jsonPatch(nodes, { name }, [
      { op: 'test', path: '/spec/providerID', value: proof.providerId },
      ...(proof.uid === undefined ? [] : [{ op: 'test', path: '/metadata/uid', value: proof.uid } as const]),
      { op: 'add', path: '/spec/unschedulable', value: true },
    ]),
  );

const patchKnown = (effect: KnownNode, context: EffectContext, api: Kubernetes): Promise<WriteOutcome> =>
  effect.exclusive === undefined ? patch(effect, api) : alone(effect, context, api);

/** The UID in the patch makes the API server refuse it for another Node of that name. */
const patch = ({ node: name, uid }: KnownNode, api: Kubernetes): Promise<WriteOutcome> =>
  told(name, () => api.mergePatch(nodes, { name }, { metadata: { uid }, spec: { unschedulable: true } }));

/** A cordon without an answer is told as one that failed. */
async function told(name: string, write: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
  try {
    return await write();
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
  effect: KnownNode,
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
