import { describe, expect, test } from 'vitest';
import type { MachineRef } from '../../../shared/machine/machine.ts';
import type { Archive, Clue } from '../../../shared/store/clue.ts';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import { aMachine, anEntry, anEviction, day, type Subject, second } from './subject.ts';

const hour = 3_600 * second;

/** The UIDs that a clue leads to, of all that the tests of one engine have written. */
const uidsBy = async (archive: Archive, clue: Clue): Promise<string[]> =>
  (await archive.machinesBy(clue)).map(({ uid }) => uid).toSorted(compareBytes);

/** A name, a Node and a Pod of the test's own. */
const own = ({ machine }: Subject) => ({
  named: { ...machine, name: `named-${machine.uid}` },
  node: `node-${machine.uid}`,
  pod: { namespace: 'shop', name: `pod-${machine.uid}` },
});

const remember = (subject: Subject, machine: MachineRef, node?: string): Promise<void> =>
  subject
    .another()
    .appendHistory(machine, [
      anEntry(subject, { at: subject.clock.now(), ...(node !== undefined && { node }) }),
    ]);

export function describePointers(subject: Subject & { store: Archive }): void {
  describe('what leads to a history', () => {
    test('the name of the Machine does, with all that the reference says', async () => {
      const { named } = own(subject);
      await remember(subject, named);
      const { namespace, name } = named;
      expect(await subject.store.machinesBy({ kind: 'name', namespace, name })).toEqual([named]);
      expect(await subject.store.machinesBy({ kind: 'name', namespace: 'other', name })).toEqual([]);
      expect(await subject.store.machinesBy({ kind: 'name', namespace, name: `${name}-2` })).toEqual([]);
    });

    test('the UID does, and says what the Machine was called', async () => {
      const { named } = own(subject);
      expect(await subject.store.machinesBy({ kind: 'uid', uid: named.uid })).toEqual([]);
      await remember(subject, named);
      expect(await subject.store.machinesBy({ kind: 'uid', uid: named.uid })).toEqual([named]);
    });

    test('Machines that had one name one after the other are told apart', async () => {
      const { named } = own(subject);
      const later = { ...named, uid: aMachine().uid };
      await remember(subject, named);
      await remember(subject, later);
      await remember(subject, named);
      const { namespace, name } = named;
      expect(await uidsBy(subject.store, { kind: 'name', namespace, name })).toEqual(
        [named.uid, later.uid].toSorted(compareBytes),
      );
    });

    test('the Node does, where an entry names it', async () => {
      const { node } = own(subject);
      await remember(subject, subject.machine);
      expect(await uidsBy(subject.store, { kind: 'node', node })).toEqual([]);
      await remember(subject, subject.machine, node);
      expect(await uidsBy(subject.store, { kind: 'node', node })).toEqual([subject.machine.uid]);
    });

    test('the Node that an entry names comes back with it', async () => {
      await remember(subject, subject.machine, 'node-1');
      expect(await subject.store.history(subject.machine.uid)).toEqual([
        anEntry(subject, { node: 'node-1' }),
      ]);
    });

    test('a Pod that was to be evicted does, whatever came of it', async () => {
      const { pod } = own(subject);
      const evictions = [
        anEviction(subject, { ...pod, podUid: 'a' }),
        anEviction(subject, { ...pod, podUid: 'b' }),
      ];
      await subject.store.recordEvictions(subject.machine, evictions);
      expect(await uidsBy(subject.store, { kind: 'pod', ...pod })).toEqual([subject.machine.uid]);
      expect(await uidsBy(subject.store, { kind: 'pod', ...pod, namespace: 'other' })).toEqual([]);
    });

    test('each Pod does of very many that were to be evicted at once', async () => {
      const { pod } = own(subject);
      const pods = Array.from({ length: 150 }, (_, number) => ({ ...pod, name: `${pod.name}-${number}` }));
      await subject.store.recordEvictions(
        subject.machine,
        pods.map((each) => anEviction(subject, { ...each, podUid: each.name })),
      );
      for (const each of [pods.at(0), pods.at(99), pods.at(100), pods.at(-1)])
        expect(await uidsBy(subject.store, { kind: 'pod', ...pod, ...each })).toEqual([subject.machine.uid]);
    });

    test('the days since do, with this one', async () => {
      const { clock, store } = subject;
      const machines = [aMachine(), aMachine(), aMachine(), aMachine(), aMachine()];
      const uids = machines.map(({ uid }) => uid).toSorted(compareBytes);
      for (const machine of machines) await remember(subject, machine);
      const among = async (at: number): Promise<string[]> =>
        (await uidsBy(store, { kind: 'since', at })).filter((uid) => uids.includes(uid));
      expect(await among(clock.now() - hour)).toEqual(uids);
      expect(await among(clock.now())).toEqual(uids);
      clock.pass(3 * day);
      expect(await among(clock.now() - hour)).toEqual([]);
      expect(await among(clock.now() - 3 * day)).toEqual(uids);
      expect(await among(0)).toEqual(uids);
      expect(await among(clock.now() + 2 * day)).toEqual([]);
    });

    test('a Machine that is heard of again on another day is found on both, each time once', async () => {
      const { clock, store, machine } = subject;
      await remember(subject, machine);
      clock.pass(day);
      await subject.another().appendHistory(machine, [anEntry(subject, { id: '2', at: clock.now() })]);
      for (const since of [0, hour, 2 * day])
        expect(await uidsBy(store, { kind: 'since', at: clock.now() - since })).toContain(machine.uid);
      const found = await uidsBy(store, { kind: 'since', at: 0 });
      expect(found.filter((uid) => uid === machine.uid)).toHaveLength(1);
    });

    test('they outlive the history by a day at most, and are renewed with it', async () => {
      const { clock, store } = subject;
      const { named, node } = own(subject);
      const { namespace, name } = named;
      const found = () => uidsBy(store, { kind: 'name', namespace, name });
      await remember(subject, named, node);
      clock.pass(30 * day - second);
      await subject.store.appendHistory(named, [anEntry(subject, { id: '2', node })]);
      clock.pass(30 * day - second);
      expect(await found()).toEqual([named.uid]);
      expect(await uidsBy(store, { kind: 'node', node })).toEqual([named.uid]);
      expect(await store.history(named.uid)).toHaveLength(1);
      clock.pass(day + second);
      expect(await found()).toEqual([]);
      expect(await uidsBy(store, { kind: 'node', node })).toEqual([]);
    });
  });
}
