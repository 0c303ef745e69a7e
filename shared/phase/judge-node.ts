import type { Claim, OtherClaim, OtherClaims } from '../dialects/claims.ts';
import { ownerReason } from '../dialects/own-node-condition.ts';
import type { Node } from '../kubernetes/objects.ts';
import { compareProviderIds, type Machine } from '../machine/machine.ts';
import { warning } from '../machine/report.ts';
import type { Decision } from './decision.ts';

/** The owner of a Node, and the evidence for it. */
export type Judged =
  | { kind: 'own' }
  /** Another Machine is proven to have it. */
  | { kind: 'another'; uid: string; evidence: string }
  /** Nothing is proven, or too much. */
  | { kind: 'unknown'; uid: string; evidence: string };

type NamedNode = Pick<Node, 'metadata' | 'spec'>;

/** What a Machine says of its Node. `providerId`: its own, or that of its infrastructure object. */
export const claimOn = ({ nodeUid }: Pick<Machine, 'nodeUid'>, providerId: string | undefined): Claim => ({
  providerId,
  nodeUid,
});

/** Whether the Node is the Machine's own, whatever other Machines say: it has the UID, and no provider ID contradicts. */
export const isOwnByItself = (own: Claim, node: NamedNode): boolean =>
  hasUid(own, node) && likeness(own, node) !== 'contradicting';

/**
 * Weighs the evidence for the owner of the Node. A UID proves it, and so does an equal provider ID that no other
 * Machine has. An ID that differs only in its form counts as equal. Proof for two Machines proves nothing. A list
 * that may lack Machines never proves that no other Machine has the Node. No effect of our own counts: that we
 * drained a Node does not make it the Machine's.
 */
export function judgeNode(own: Claim, node: NamedNode, others: OtherClaims): Judged {
  if (isOwnByItself(own, node)) return { kind: 'own' };
  const rivals = others.claims.filter((claim) => hasUid(claim, node) || hasLikeId(claim, node));
  const proven = rivals.filter((rival) => isProven(rival, node, [own, ...rivals]));
  const isOwn = hasUid(own, node) || (others.unread === undefined && isProven(own, node, others.claims));
  const evidence = weighed(own, node, { rivals, unread: others.unread });
  if (isOwn && proven.length === 0) return { kind: 'own' };
  const { uid = '' } = node.metadata;
  return { kind: !isOwn && proven.length === 1 ? 'another' : 'unknown', uid, evidence };
}

/** By UID, or by an ID that none of the others has. */
function isProven(claim: Claim, node: NamedNode, all: readonly Claim[]): boolean {
  if (hasUid(claim, node)) return true;
  const others = all.filter((other) => other !== claim);
  const like = likeness(claim, node);
  if (like === 'equal') return !others.some((other) => hasId(other, node));
  return like === 'in-form' && !others.some((other) => hasLikeId(other, node));
}

const hasUid = ({ nodeUid }: Claim, { metadata: { uid } }: NamedNode): boolean =>
  nodeUid !== undefined && nodeUid === uid;

/** The exact provider ID. */
const hasId = (claim: Claim, node: NamedNode): boolean => likeness(claim, node) === 'equal';

const hasLikeId = (claim: Claim, node: NamedNode): boolean =>
  ['equal', 'in-form'].includes(likeness(claim, node) ?? '');

/** Undefined if one of the two IDs is not known. */
function likeness({ providerId }: Claim, { spec }: NamedNode) {
  return providerId && spec?.providerID ? compareProviderIds(providerId, spec.providerID) : undefined;
}

interface Known {
  rivals: readonly OtherClaim[];
  unread: string | undefined;
}

/** The evidence, for people: what the Node has, and which Machines have the same. */
function weighed(own: Claim, node: NamedNode, { rivals, unread }: Known): string {
  const { providerID } = node.spec ?? {};
  return [
    `it has ${providerID ? `providerID ${providerID}` : 'no providerID'}${uidIn(own, rivals, node)}`,
    `the Machine ${spoken(own)}`,
    ...rivals.map((rival) => `Machine ${rival.machine} has ${sharedWith(rival, node)}`),
    ...(rivals.length === 0 && unread === undefined ? ['no other Machine claims it'] : []),
    ...(unread === undefined ? [] : [`other Machines may claim it: ${unread}`]),
  ].join('; ');
}

/** Shows the UID only if a Machine names one. */
const uidIn = (own: Claim, rivals: readonly Claim[], { metadata: { uid = '' } }: NamedNode): string =>
  [own, ...rivals].some(({ nodeUid }) => nodeUid !== undefined) ? ` and UID ${uid}` : '';

const spoken = ({ providerId, nodeUid }: Claim): string =>
  [
    providerId ? `has ${providerId}` : 'has no providerID',
    nodeUid === undefined ? 'names no UID' : `names UID ${nodeUid}`,
  ].join(' and ');

const sharedWith = (rival: Claim, node: NamedNode): string =>
  [
    ...(hasId(rival, node) ? ['this providerID'] : []),
    ...(likeness(rival, node) === 'in-form' ? [`providerID ${rival.providerId}`] : []),
    ...(hasUid(rival, node) ? ['this UID'] : []),
  ].join(' and ');

/** Mostly an event of the Machine ends it. A change of its Node, or of another Machine, may end it too. */
const requeueAfterSeconds = 60;

/** Holds the Machine beside the API's own controller, which would go by the name of the Node. No time limit ends it. */
export const heldFor = ({
  kind,
  why,
}: {
  kind: keyof typeof ownerReason;
  why: string;
}): Decision & { kind: 'wait' } => ({
  kind: 'wait',
  until: [],
  report: { reason: ownerReason[kind], message: why, isHeldUp: true, isUndecided: true },
  requeueAfterSeconds,
  // Written again while it lasts.
  events: [warning(ownerReason[kind], why)],
});
