import type { Ownership } from '../dialects/status-input.ts';
import { readOr, Unavailable } from '../kubernetes/errors.ts';
import { isUnreachable, type Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import { compareProviderIds } from '../machine/machine.ts';
import type { NodeProof } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { claimOn, isOwnByItself, type Judged, judgeNode } from '../phase/judge-node.ts';
import { ownerMessage, type Spoken, severalNodes } from '../phase/owner-message.ts';
import { isCordonedByPeer } from '../phase/retreat.ts';
import type { FoundNode, Kept, Snapshot } from '../phase/snapshot.ts';

/** The Machine's own Node, as far as it can be told from those of others. */
export type OwnNode =
  | { kind: 'own'; node: Node }
  /** The Machine has none, or it is gone. */
  | { kind: 'none' }
  | Exclude<Ownership, { kind: 'own' }>;

/**
 * Looks at the Machine's own Node and notes it for the conditions. Every phase that touches the Node asks here first:
 * a Machine may name the Node of another server. Then its own is looked for by providerID. Throws Unavailable.
 */
export async function observeOwnNode(snapshot: Snapshot, subject: Subject, kept?: Kept): Promise<OwnNode> {
  const seen = await observeNode(snapshot, subject, kept);
  if (seen.kind === 'none') return seen;
  if (seen.kind !== 'own') return (snapshot.observed.ownership = seen);
  const { name, uid = '' } = seen.node.metadata;
  snapshot.observed.ownership = { kind: 'own', name, uid };
  snapshot.nodeFinder.remember({ name, uid });
  return seen;
}

async function observeNode(snapshot: Snapshot, subject: Subject, kept?: Kept): Promise<OwnNode> {
  const { machine, nodeSearch } = subject;
  if (nodeSearch?.kind === 'unread') throw nodeSearch.why;
  if (nodeSearch?.kind === 'several')
    return {
      kind: 'unknown',
      why: severalNodes({ ...subject, found: nodeSearch }, nodeSearch.names, machine.providerId),
    };
  if (machine.nodeName === undefined) return { kind: 'none' };
  const node = await readNode(snapshot, machine.nodeName, kept);
  if (node === undefined) return { kind: 'none' };
  const providerId = await snapshot.nodeFinder.providerId();
  const judged = await judge(snapshot, subject, node, providerId);
  if (judged.kind === 'own') return { kind: 'own', node };
  return observeNotOwn(snapshot, subject, { node, judged, providerId });
}

/** Other Machines are asked for only where the Machine and the Node do not tell by themselves. */
async function judge(
  snapshot: Snapshot,
  { machine }: Subject,
  node: Node,
  providerId: string | undefined,
): Promise<Judged> {
  const claim = claimOn(machine, providerId);
  if (isOwnByItself(claim, node)) return { kind: 'own' };
  return judgeNode(claim, node, await snapshot.nodeFinder.otherClaims());
}

/** As a cordon leaves it, and its kubelet is heard. */
export const isAsCordoned = (node: Node): boolean =>
  node.spec?.unschedulable === true && !isUnreachable(node);

/** Nothing is attached either. A step rests on nothing older, and the API's own controller looks once more after our hook. */
const leftToPeer: Kept = {
  maxAgeMilliseconds: 30_000,
  good: (node: Node) => isAsCordoned(node) && (node.status?.volumesAttached ?? []).length === 0,
};

/**
 * The Machine's own Node after its drain. Where the peer drains it once more, an answer of some seconds ago is enough. That to
 * our cordon is one. Throws Unavailable.
 */
export const observeDrainedNode = (snapshot: Snapshot, subject: Subject): Promise<OwnNode> =>
  observeOwnNode(snapshot, subject, isCordonedByPeer(subject) ? leftToPeer : undefined);

/**
 * Whether a Node that has the name, this providerID and this UID is the Machine's own. The UID is given where the Machine
 * names one. Throws Unavailable.
 */
export async function isOwnWith(
  snapshot: Snapshot,
  subject: Subject,
  { providerId: providerID, uid }: NodeProof,
): Promise<boolean> {
  const { nodeName: name = '' } = subject.machine;
  const node = { metadata: { name, ...(uid !== undefined && { uid }) }, spec: { providerID } };
  return (await judge(snapshot, subject, node, providerID)).kind === 'own';
}

interface NotOwn {
  node: Node;
  judged: Exclude<Judged, { kind: 'own' }>;
  providerId: string | undefined;
}

/**
 * In the place of its controller, the Machine's own Node is drained where it is another one. Beside that controller it is not:
 * the one that the Machine names would go.
 */
async function observeNotOwn(snapshot: Snapshot, subject: Subject, notOwn: NotOwn): Promise<OwnNode> {
  const { beside, isObserved } = subject.dialect;
  const { name } = notOwn.node.metadata;
  if (beside !== undefined) {
    const found = await readOr(undefined, () => ofOwnServer(snapshot, notOwn));
    return whoseNode({ ...subject, found }, notOwn);
  }
  if (isObserved === true || notOwn.judged.kind === 'unknown') return whoseNode(subject, notOwn);
  const found = await ofOwnServer(snapshot, notOwn);
  const named = whoseNode({ ...subject, found }, notOwn);
  if (found?.kind === 'several') {
    const several = severalNodes({ ...subject, found }, found.names, notOwn.providerId);
    return { kind: 'unknown', why: `${named.why}; ${several}` };
  }
  if (found?.kind !== 'named') return named;
  // An equal ID finds the very Node again, unless the search goes by an older list.
  if (found.name === name && isLike(notOwn)) return named;
  return (await observeOwnInstead(snapshot, subject, found.name, notOwn.providerId)) ?? named;
}

const isLike = ({ node: { spec }, providerId = '' }: NotOwn): boolean =>
  compareProviderIds(spec?.providerID ?? '', providerId) !== 'contradicting';

const ofOwnServer = async (snapshot: Snapshot, { providerId }: NotOwn): Promise<FoundNode | undefined> =>
  providerId === undefined ? undefined : snapshot.nodeFinder.ofServer(providerId);

function whoseNode(spoken: Spoken, { node, judged }: NotOwn): Exclude<Ownership, { kind: 'own' }> {
  const why = ownerMessage(spoken, node.metadata.name, judged);
  return { kind: judged.kind, why, uid: judged.uid };
}

/** What its nodeRef says is said of the other Node. Undefined where this one has gone meanwhile. */
async function observeOwnInstead(
  snapshot: Snapshot,
  subject: Subject,
  name: string,
  providerId = '',
): Promise<OwnNode | undefined> {
  const node = await readNode(snapshot, name);
  if (node === undefined) return undefined;
  const claim = { providerId };
  // The search may go by a list that is some seconds old.
  if (compareProviderIds(node.spec?.providerID ?? '', providerId) === 'contradicting')
    throw new Unavailable(`Node ${name} has changed since it was looked for by providerID`);
  const judged = judgeNode(claim, node, await snapshot.nodeFinder.otherClaims());
  return judged.kind === 'own' ? { kind: 'own', node } : whoseNode(subject, { node, judged, providerId });
}

async function readNode(snapshot: Snapshot, name: string, kept?: Kept): Promise<Node | undefined> {
  const key = { name };
  const reading =
    kept === undefined
      ? snapshot.get('workload', nodes, key)
      : snapshot.recentGet('workload', nodes, key, kept);
  const object: Node | undefined = await reading;
  snapshot.observed.node = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
  return object;
}
