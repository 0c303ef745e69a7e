import { type Machine, withNode } from '../machine/machine.ts';
import type { SoughtNode } from './snapshot.ts';

/** The same with what a search for its Node has come to. */
export function withFoundNode<T extends { machine: Machine }>(subject: T, sought: SoughtNode) {
  const { machine } = subject;
  return { ...subject, machine: sought.kind === 'named' ? withNode(machine, sought.name) : machine, sought };
}
