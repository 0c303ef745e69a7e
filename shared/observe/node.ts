import type { Whose } from '../dialects/status-input.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Node } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import { isSameServer } from '../machine/provider-id.ts';
import type { Subject } from '../phase/definition.ts';
import { judgeNode, severalNodes } from '../phase/own-node.ts';
import type { Kept, Snapshot } from '../phase/snapshot.ts';

/** The Machine's own Node, as far as it can be told from those of others. */
export type OwnNode =
  | { kind: 'own'; node: Node }
  /** The Machine has none, or it is gone. */
  | { kind: 'none' }
  | Exclude<Whose, { kind: 'own' }>;

/**
 * Looks at the Machine's own Node and notes it for the conditions. Every phase that touches the Node asks here first:
 * a Machine may name the Node of another server. Then its own is looked for by providerID. Throws Unavailable.
 */
export async function observeOwnNode(snapshot: Snapshot, subject: Subject, kept?: Kept): Promise<OwnNode> {
  const seen = await observeNode(snapshot, subject, kept);
  if (seen.kind === 'none') return seen;
  if (seen.kind !== 'own') return (snapshot.sightings.whose = seen);
  const { name, uid = '' } = seen.node.metadata;
  snapshot.sightings.whose = { kind: 'own', name, uid };
  snapshot.nodeFinder.remember({ name, uid });
  return seen;
}

async function observeNode(snapshot: Snapshot, subject: Subject, kept?: Kept): Promise<OwnNode> {
  const { machine, sought } = subject;
  if (sought?.kind === 'unread') throw sought.why;
  if (sought?.kind === 'several')
    return { kind: 'unknown', why: severalNodes(sought.names, machine.providerId) };
  if (machine.nodeName === undefined) return { kind: 'none' };
  const node = await readNode(snapshot, machine.nodeName, kept);
  if (node === undefined) return { kind: 'none' };
  const providerId = await snapshot.nodeFinder.providerId();
  const judged = judgeNode(machine, providerId, node);
  if (judged.kind === 'own') return { kind: 'own', node };
  if (judged.kind === 'unknown' || providerId === undefined) return judged;
  return observeOwnInstead(snapshot, providerId, judged);
}

/** The Machine names another server's Node: its own may be there all the same. */
async function observeOwnInstead(
  snapshot: Snapshot,
  providerId: string,
  named: OwnNode & { kind: 'another' },
): Promise<OwnNode> {
  const { why } = named;
  const found = await snapshot.nodeFinder.ofServer(providerId);
  if (found.kind === 'several')
    return { kind: 'unknown', why: `${why}; ${severalNodes(found.names, providerId)}` };
  const node = found.kind === 'named' ? await readNode(snapshot, found.name) : undefined;
  if (node === undefined) return { ...named, why: `${why}; no Node has that of the Machine` };
  // The search may go by a list that is some seconds old.
  if (isSameServer(node.spec?.providerID ?? '', providerId)) return { kind: 'own', node };
  throw new Unavailable(`Node ${node.metadata.name} has changed since it was looked for by providerID`);
}

async function readNode(snapshot: Snapshot, name: string, kept?: Kept): Promise<Node | undefined> {
  const key = { name };
  const reading =
    kept === undefined
      ? snapshot.get('workload', nodes, key)
      : snapshot.recentGet('workload', nodes, key, kept);
  const object: Node | undefined = await reading;
  snapshot.sightings.node = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
  return object;
}
