import { withNode } from '../machine/machine.ts';
import type { Subject } from './definition.ts';
import type { FoundNode } from './snapshot.ts';

/** In the place of a Node's name: there is a Node, and no name for it. */
export const unseenNode = '';

/** By this name it is judged whether the Node may be touched at all. Several are not none. */
export function nameToJudgeBy(found: FoundNode): string | undefined {
  if (found.kind === 'named') return found.name;
  return found.kind === 'several' ? unseenNode : undefined;
}

/** The subject with what a search for its Node has found. */
export function withFoundNode(subject: Subject, found: FoundNode): Subject {
  if (found.kind === 'named') return { ...subject, machine: withNode(subject.machine, found.name) };
  return found.kind === 'several' ? { ...subject, severalNodes: found.names } : subject;
}
