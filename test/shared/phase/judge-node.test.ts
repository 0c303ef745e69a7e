import { expect, test } from 'vitest';
import type { Claim, OtherClaim } from '../../../shared/dialects/claims.ts';
import { isOwnByItself, judgeNode } from '../../../shared/phase/judge-node.ts';
import { aNode } from '../../builders/subject.ts';

// The Node is node-1, with UID node-uid-1 and, where nothing else is said, with providerID x://m-1.

const uid = { nodeUid: 'node-uid-1' };
const anotherUid = { nodeUid: 'node-uid-0' };
const id = { providerId: 'x://m-1' };
const otherId = { providerId: 'x://m-2' };
const inForm = { providerId: 'x://zone/m-1' };

const other = (claim: Claim, name = 'm-2'): OtherClaim => ({ machine: `default/${name}`, ...claim });

interface Row {
  own: Claim;
  others?: OtherClaim[];
  unread?: string;
  nodeId?: string;
  is: 'own' | 'another' | 'unknown';
}

const rows: Record<string, Row> = {
  'the UID, and no ID to compare': { own: uid, is: 'own' },
  'the UID and an equal ID': { own: { ...uid, ...id }, is: 'own' },
  'the UID and an ID in another form': { own: { ...uid, ...inForm }, is: 'own' },
  'the UID, and another Machine has the ID too': { own: { ...uid, ...id }, others: [other(id)], is: 'own' },
  'the UID against an ID, and nobody else claims it': { own: { ...uid, ...otherId }, is: 'own' },
  'the UID against an ID, in a list that is not whole': {
    own: { ...uid, ...otherId },
    unread: 'forbidden',
    is: 'own',
  },
  'the UID against an ID that another Machine has': {
    own: { ...uid, ...otherId },
    others: [other(id)],
    is: 'unknown',
  },
  'the UID against an ID, and the UID of another Machine': {
    own: { ...uid, ...otherId },
    others: [other(uid)],
    is: 'unknown',
  },
  'an equal ID': { own: id, is: 'own' },
  'an equal ID, in a list that is not whole': { own: id, unread: 'forbidden', is: 'unknown' },
  'an equal ID that another Machine has as well': { own: id, others: [other(id)], is: 'unknown' },
  'an equal ID against another UID': { own: { ...id, ...anotherUid }, is: 'own' },
  'an equal ID against another UID, and another Machine has both': {
    own: { ...id, ...anotherUid },
    others: [other({ ...id, ...uid })],
    is: 'another',
  },
  'an equal ID, against the UID of another Machine': { own: id, others: [other(uid)], is: 'unknown' },
  'an equal ID, and another Machine has it in another form': { own: id, others: [other(inForm)], is: 'own' },
  'an ID in another form': { own: inForm, is: 'own' },
  'an ID in another form, in a list that is not whole': { own: inForm, unread: 'forbidden', is: 'unknown' },
  'an ID in another form, where another Machine has this very one': {
    own: inForm,
    others: [other(id)],
    is: 'another',
  },
  'an ID in another form, as another Machine has it': {
    own: inForm,
    others: [other({ providerId: 'x://rack/m-1' })],
    nodeId: 'x://zone/rack/m-1',
    is: 'unknown',
  },
  'a contradicting ID, and nobody else claims it': { own: otherId, is: 'unknown' },
  'a contradicting ID, and another Machine has this one': {
    own: otherId,
    others: [other(id)],
    is: 'another',
  },
  'a contradicting ID, and another Machine has this one in another form': {
    own: otherId,
    others: [other(inForm)],
    is: 'another',
  },
  'a contradicting ID, and another Machine has this one, in a list that is not whole': {
    own: otherId,
    others: [other(id)],
    unread: 'forbidden',
    is: 'another',
  },
  'a contradicting ID, and another Machine names the UID': {
    own: otherId,
    others: [other(uid)],
    is: 'another',
  },
  'a contradicting ID, and two other Machines have this one': {
    own: otherId,
    others: [other(id), other(id, 'm-3')],
    is: 'unknown',
  },
  'a contradicting ID, and one has this one and another the UID': {
    own: otherId,
    others: [other(id), other(uid, 'm-3')],
    is: 'unknown',
  },
  'another UID, and no ID to compare': { own: anotherUid, is: 'unknown' },
  'another UID, and another Machine has this one': { own: anotherUid, others: [other(uid)], is: 'another' },
  'nothing but the name': { own: {}, is: 'unknown' },
  'nothing but the name, and another Machine has the ID': { own: {}, others: [other(id)], is: 'another' },
  'nothing but the name, of a Node without an ID': { own: id, nodeId: '', is: 'unknown' },
};

test.each(Object.entries(rows))(
  'whose the Node is, by %s',
  (_by, { own, others = [], unread, nodeId, is }) => {
    const node = aNode(nodeId === undefined ? {} : { providerID: nodeId });
    expect(judgeNode(own, node, { claims: others, ...(unread !== undefined && { unread }) }).kind).toBe(is);
  },
);

test.each<[string, Claim, boolean]>([
  ['the UID', uid, true],
  ['the UID and an equal ID', { ...uid, ...id }, true],
  ['the UID against an ID', { ...uid, ...otherId }, false],
  ['an equal ID', id, false],
  ['nothing but the name', {}, false],
])('no other Machine is asked for only by the UID that no ID contradicts: %s', (_by, own, isOwn) => {
  expect(isOwnByItself(own, aNode())).toBe(isOwn);
});

const evidenceOf = (own: Claim, others: OtherClaim[], unread?: string): unknown => {
  const judged = judgeNode(own, aNode(), { claims: others, ...(unread !== undefined && { unread }) });
  return 'evidence' in judged ? judged.evidence : undefined;
};

test('the evidence names both IDs, the UIDs where one is named, and who else claims the Node', () => {
  expect([
    evidenceOf(otherId, []),
    evidenceOf(otherId, [other(id)]),
    evidenceOf({ ...id, ...anotherUid }, [other({ ...id, ...uid })]),
    evidenceOf(id, [], 'machines is forbidden'),
    evidenceOf({}, []),
  ]).toEqual([
    'it has providerID x://m-1; the Machine has x://m-2 and names no UID; no other Machine claims it',
    'it has providerID x://m-1; the Machine has x://m-2 and names no UID; Machine default/m-2 has this providerID',
    'it has providerID x://m-1 and UID node-uid-1; the Machine has x://m-1 and names UID node-uid-0; Machine default/m-2 has this providerID and this UID',
    'it has providerID x://m-1; the Machine has x://m-1 and names no UID; other Machines may claim it: machines is forbidden',
    'it has providerID x://m-1; the Machine has no providerID and names no UID; no other Machine claims it',
  ]);
});
