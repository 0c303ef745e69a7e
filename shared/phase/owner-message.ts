import type { Dialect } from '../dialects/dialect.ts';
import { isDeleting, type Machine } from '../machine/machine.ts';
import { compareBytes } from '../text/byte-order.ts';
import type { Judged } from './judge-node.ts';
import type { FoundNode } from './snapshot.ts';

/** The Machine, and what is known of its Node beside the evidence. */
export interface Spoken {
  machine: Machine;
  dialect: Pick<Dialect, 'beside' | 'hold' | 'isObserved'>;
  /** What its own providerID finds; absent without such a search. */
  found?: FoundNode | undefined;
}

/** Explanations recognise all of these messages by their words. */
export const isAboutOwner = (why: string): boolean =>
  /^Node \S+ is another server's|the Machine's own is unknown/.test(why);

/**
 * The message for a Node that is not proven to be the Machine's own: evidence, consequence, and what ends it. Neither
 * API can let a Machine go and spare the Node that it names.
 */
export function ownerMessage(spoken: Spoken, name: string, judged: Exclude<Judged, { kind: 'own' }>): string {
  const { kind, evidence } = judged;
  const { machine, dialect } = spoken;
  const isAnother = kind === 'another';
  const conclusion = isAnother
    ? another(name, dialect)
    : `whether Node ${name} is the Machine's own is unknown`;
  const message = `${conclusion}: ${evidence}`;
  if (dialect.isObserved) return `${message}. ${byName(name)}`;
  if (dialect.beside !== undefined)
    return isHeldBeside(machine, dialect)
      ? `${message}. ${held(spoken, `Node ${name} by its name`)}`
      : `${message}. No hook holds the Machine. ${byName(name)}`;
  return isAnother ? `${message}${foundNone(spoken)}` : `${message}. ${unknownEnds}`;
}

/**
 * Our hook comes too late for some Machines, and the API's own controller ignores it on others. A living Machine gets
 * it in time.
 */
const isHeldBeside = (machine: Machine, { beside, hold }: Pick<Dialect, 'beside' | 'hold'>): boolean =>
  beside !== undefined && (hold.isOn(machine) || !isDeleting(machine)) && !beside.isPassedOver(machine);

const another = (name: string, { isObserved }: Spoken['dialect']): string =>
  `Node ${name} is another server's${isObserved ? '' : ' and is left alone'}`;

/** The message for several Nodes that have the Machine's providerID. */
export function severalNodes(spoken: Spoken, names: readonly string[], id: string | undefined): string {
  const all = names.toSorted(compareBytes).join(', ');
  const of = id === undefined ? "the Machine's providerID" : `providerID ${id}`;
  const message = `several Nodes have ${of}: ${all}; which one is the Machine's own is unknown`;
  const { isObserved, beside } = spoken.dialect;
  if (isObserved) return message;
  return beside === undefined
    ? `${message}. This ends when one Node is left, ${orWithoutNode}`
    : `${message}. ${held(spoken, 'the Node that its nodeRef comes to name')}`;
}

const orWithoutNode = 'the Machine is excluded from the drain, or its Cluster or control plane is deleted';

const unknownEnds = `This ends when its nodeRef or a providerID is corrected, ${orWithoutNode}`;

const byName = (name: string): string =>
  `The API's own controller goes by the name: it drains Node ${name} and deletes it`;

const foundNone = ({ found }: Spoken): string =>
  found?.kind === 'none' ? "; no Node has the Machine's providerID" : '';

/** Names `release` as not safe, since users try it first. */
function held(spoken: Spoken, node: string): string {
  const safe = [...nodeRefWays(spoken), ...(spoken.dialect.beside?.endsWithoutNode ?? [])].join('; ');
  return (
    `The Machine is held: its own controller would drain ${node} and delete it. Safe: ${safe}. ` +
    'Not safe, since that Node is deleted: `phaseout release`, the watchdog, an exclusion from drains'
  );
}

/** If its own ID finds a Node, a removed nodeRef comes back. */
function nodeRefWays({ machine: { nodeName }, dialect, found }: Spoken): string[] {
  if (found?.kind === 'several' && nodeName === undefined) return ['leave one Node with its providerID'];
  if (found?.kind === 'named' && found.name !== nodeName)
    return [`correct status.nodeRef: Node ${found.name} has its providerID`];
  const returns = dialect.beside?.nodeRefReturns;
  const taken = returns === undefined ? 'take it off' : `take it off (${returns})`;
  return found?.kind === 'none'
    ? ['correct status.nodeRef', `${taken}: no Node has its providerID`]
    : ['correct status.nodeRef'];
}
