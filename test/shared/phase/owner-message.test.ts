import { expect, test } from 'vitest';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { observed } from '../../../shared/dialects/registry.ts';
import { isAboutOwner, ownerMessage, severalNodes } from '../../../shared/phase/owner-message.ts';
import type { FoundNode } from '../../../shared/phase/snapshot.ts';
import { beside, besideOfOpenShift, ourHook } from '../../builders/beside.ts';
import { aMachine, excluded } from '../../builders/openshift.ts';
import { aSubject } from '../../builders/subject.ts';

const hooked = aSubject({ annotations: { [ourHook]: 'phaseout.dev' } }).machine;
const evidence = 'it has providerID x://2';
const another = { kind: 'another', uid: 'u', evidence } as const;
const unknown = { kind: 'unknown', uid: 'u', evidence } as const;
const none: FoundNode = { kind: 'none' };

const held =
  'The Machine is held: its own controller would drain Node node-1 by its name and delete it. Safe:';
const harm =
  'Not safe, since that Node is deleted: `phaseout release`, the watchdog, an exclusion from drains';
const goes = "The API's own controller goes by the name: it drains Node node-1 and deletes it";
const left = `Node node-1 is another server's and is left alone: ${evidence}`;
const notKnown = `whether Node node-1 is the Machine's own is unknown: ${evidence}`;

const inPlace = aSubject().dialect;
const there = besideOfOpenShift();
const ofOpenShift = aMachine({
  spec: { lifecycleHooks: { preDrain: [{ name: 'phaseout', owner: 'phaseout.dev' }] } },
});
const passedOver = aMachine({ annotations: excluded });

test.each<[string, Dialect, typeof hooked, typeof another | typeof unknown, FoundNode | undefined, string]>([
  ['in its place', inPlace, hooked, another, none, `${left}; no Node has the Machine's providerID`],
  [
    'in its place, of an unknown one',
    inPlace,
    hooked,
    unknown,
    undefined,
    `${notKnown}. This ends when its nodeRef or a providerID is corrected, the Machine is excluded from the drain, or its Cluster or control plane is deleted`,
  ],
  [
    'beside it',
    beside(),
    hooked,
    another,
    none,
    `${left}. ${held} correct status.nodeRef; take it off: no Node has its providerID; delete its Cluster or control plane. ${harm}`,
  ],
  [
    'beside it, where an equal ID finds the Node again',
    beside(),
    hooked,
    another,
    { kind: 'named', name: 'node-1' },
    `${left}. ${held} correct status.nodeRef; delete its Cluster or control plane. ${harm}`,
  ],
  [
    'beside it, where its own Node is there',
    beside(),
    hooked,
    unknown,
    { kind: 'named', name: 'node-2' },
    `${notKnown}. ${held} correct status.nodeRef: Node node-2 has its providerID; delete its Cluster or control plane. ${harm}`,
  ],
  [
    'beside it, without our hook',
    beside(),
    aSubject().machine,
    another,
    none,
    `${left}. No hook holds the Machine. ${goes}`,
  ],
  [
    'beside that of OpenShift',
    there,
    ofOpenShift,
    another,
    none,
    `${left}. ${held} correct status.nodeRef; take it off (nodelink may put it back): no Node has its providerID. ${harm}`,
  ],
  [
    'beside that of OpenShift, which passes all hooks over',
    there,
    passedOver,
    unknown,
    none,
    `${notKnown}. No hook holds the Machine. ${goes}`,
  ],
  [
    'where it is only watched',
    observed(openShift),
    ofOpenShift,
    another,
    undefined,
    `Node node-1 is another server's: ${evidence}. ${goes}`,
  ],
])('%s the API’s own controller, what follows and what ends it is said', (...row) => {
  const [, dialect, machine, judged, found, expected] = row;
  const message = ownerMessage({ machine, dialect, found }, 'node-1', judged);
  expect(message).toBe(expected);
  expect(isAboutOwner(message)).toBe(true);
});

test.each<[string, Dialect, string]>([
  [
    'in place of the controller',
    inPlace,
    'This ends when one Node is left, the Machine is excluded from the drain, or its Cluster or control plane is deleted',
  ],
  [
    'beside it',
    beside(),
    `The Machine is held: its own controller would drain the Node that its nodeRef comes to name and delete it. Safe: leave one Node with its providerID; delete its Cluster or control plane. ${harm}`,
  ],
])('of several Nodes all are named, and what ends it is said: %s', (_where, dialect, ends) => {
  const { nodeName: _, ...machine } = hooked;
  const names = ['n1-old', 'n1'];
  const message = severalNodes(
    { machine, dialect, found: { kind: 'several', names } },
    names,
    'metal3://uuid-1',
  );
  expect(message).toBe(
    `several Nodes have providerID metal3://uuid-1: n1, n1-old; which one is the Machine's own is unknown. ${ends}`,
  );
  expect(isAboutOwner(message)).toBe(true);
});
