import { withNode } from '../machine/machine.ts';
import type { Subject } from './definition.ts';
import type { FoundNode } from './snapshot.ts';

/** The subject with what a search for its Node has found. */
export function withFoundNode(subject: Subject, found: FoundNode): Subject {
  if (found.kind === 'named') return { ...subject, machine: withNode(subject.machine, found.name) };
  return found.kind === 'several' ? { ...subject, severalNodes: found.names } : subject;
}
