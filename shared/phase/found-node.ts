import { type Machine, withNode } from '../machine/machine.ts';
import type { NodeSearchResult } from './snapshot.ts';

/** The same with what a search for its Node has come to. */
export function withFoundNode<T extends { machine: Machine }>(subject: T, nodeSearch: NodeSearchResult) {
  const { machine } = subject;
  return {
    ...subject,
    machine: nodeSearch.kind === 'named' ? withNode(machine, nodeSearch.name) : machine,
    nodeSearch,
  };
}
