import type { Node } from './kubernetes/objects.ts';
import { CouldNotLook, nodes } from './kubernetes/port.ts';
import type { Subject } from './phase-definition.ts';
import type { Kept, Look } from './runtime/look.ts';

/** The Machine's Node, noted for its conditions. */
export async function observeNode(look: Look, subject: Subject, kept?: Kept): Promise<Node | undefined> {
  const { nodeName } = subject.machine;
  if (nodeName === undefined) return undefined;
  const key = { name: nodeName };
  const reading =
    kept === undefined ? look.get('workload', nodes, key) : look.recentGet('workload', nodes, key, kept);
  const object: Node | undefined = await reading;
  look.sightings.node = object === undefined ? { kind: 'absent' } : { kind: 'present', object };
  return object;
}

/**
 * Throws CouldNotLook where there is a Node to be touched and nobody knows which: it could not be looked for, and the time
 * limit that seemed to be over begins only now, or was not over as the step began.
 */
export function assertSought({ machine, nodeDeletion }: Subject): void {
  if (!nodeDeletion.allowed || machine.nodeName !== undefined) return;
  throw new CouldNotLook('unable to get Node: it could not be looked for by providerID');
}
