import { expect, test } from 'vitest';
import { deletionHooks } from '../scenario/build/deletion-hooks.ts';
import type { Exchange } from '../wire/exchange.ts';
import { aHook } from './asked-functions.ts';
import { machines } from './built-stage.ts';
import { hookStatusesAreCounted } from './hook-statuses-are-counted.ts';
import type { Invariant } from './invariant.ts';
import { nothingIsWritten } from './nothing-is-written.ts';
import { onlyKnownWrites } from './only-known-writes.ts';
import { openStage, type Stage } from './stage.ts';
import { uidIsNamed, versionIsNamed } from './uid-is-named.ts';
import { quietIsQuiet, writesChangeSomething } from './writes-change-something.ts';

const ready = { type: 'Ready', status: 'True', reason: 'Asks', message: 'its function is asked at PreDrain' };
const seen = { resourceVersion: '7', uid: 'of-the-hook' };
const status = { machines: 1, waiting: 0, heldUp: 0, conditions: [ready] };
const writes: Partial<Exchange> = {
  verb: 'patch',
  resource: `${deletionHooks}/status`,
  namespace: 'fleet',
  name: 'move-data',
  body: { metadata: seen, status },
};

const openWithHook = (invariant: Invariant): Promise<Stage> => openStage(invariant, {}, [aHook('move-data')]);

test.each<[string, Partial<Exchange>, boolean]>([
  ['its counts and its condition', {}, true],
  ['no count of Machines', { body: { metadata: seen, status: { ...status, machines: null } } }, true],
  ['a label beside', { body: { metadata: { ...seen, labels: { a: 'b' } }, status } }, false],
  ['its spec beside', { body: { metadata: seen, status, spec: { order: 1 } } }, false],
  ['a field that it has not', { body: { metadata: seen, status: { ...status, phase: 'Good' } } }, false],
  [
    "somebody else's condition",
    { body: { metadata: seen, status: { ...status, conditions: [ready, { ...ready, type: 'Theirs' }] } } },
    false,
  ],
  ['no version', { body: { metadata: { uid: 'of-the-hook' }, status } }, false],
  ['no UID', { body: { metadata: { resourceVersion: '7' }, status } }, false],
  ['the same by operations', { body: [{ op: 'add', path: '/status', value: status }] }, false],
  ['the object itself', { resource: deletionHooks }, false],
  ['its end', { verb: 'delete', resource: deletionHooks }, false],
  ['the status of a rule', { resource: 'machinedrainrules.cluster.x-k8s.io/status' }, false],
])('of a DeletionHook is written: %s', async (_what, asked, isKnown) => {
  const stage = await openWithHook(onlyKnownWrites);
  stage.ask({ ...writes, ...asked });
  expect(stage.cries).toHaveLength(isKnown ? 0 : 1);
});

test.each([
  [uidIsNamed, { resourceVersion: '7' }, 'no UID is named'],
  [versionIsNamed, { uid: 'of-the-hook' }, 'no version is named'],
])('$name: so does the status of a DeletionHook', async (invariant, metadata, why) => {
  const stage = await openWithHook(invariant);
  stage.ask(writes);
  stage.ask({ ...writes, body: { metadata, status } });
  expect(stage.cries).toEqual([`instance-1 writes the status of DeletionHook fleet/move-data: ${why}`]);
});

test('a status that changes nothing is noticed', async () => {
  const stage = await openWithHook(writesChangeSomething);
  stage.ask(writes);
  expect(stage.cries).toEqual(['instance-1 writes the status of DeletionHook fleet/move-data']);
});

test('where nothing happens any more, one more sweep writes it', async () => {
  const stage = await openWithHook(quietIsQuiet);
  stage.observer.quiet?.();
  stage.ask(writes);
  expect(stage.cries).toEqual([]);
  stage.ask(writes);
  expect(stage.cries).toEqual(['instance-1 writes the status of DeletionHook fleet/move-data']);
});

test('where phaseout only watches it writes no status of a DeletionHook', async () => {
  const stage = await openWithHook(nothingIsWritten);
  const mode = { capi: 'observe', openshift: 'observe', v1alpha1: 'observe' } as const;
  stage.world.config = { ...stage.world.config, mode };
  stage.ask(writes);
  expect(stage.cries).toHaveLength(1);
});

const hooks: Partial<Exchange> = { verb: 'list', resource: deletionHooks };
const all: Partial<Exchange> = { verb: 'list', resource: machines };
const says = 'instance-1 writes the status of DeletionHook fleet/move-data: it has listed';

test.each<[string, readonly Partial<Exchange>[], string[]]>([
  ['a sweep', [hooks, all, writes], []],
  [
    'a sweep of its namespace',
    [{ ...hooks, namespace: 'fleet' }, { ...all, namespace: 'fleet' }, writes],
    [],
  ],
  ['a sweep of another namespace', [{ ...hooks, namespace: 'b' }, all, writes], [`${says} Machines before`]],
  ['a look at a Machine', [hooks, writes], [`${says} DeletionHooks before`]],
  [
    'a sweep of another instance',
    [hooks, { ...all, instance: 'instance-2' }, writes],
    [`${says} DeletionHooks before`],
  ],
  [
    'a look at the control plane',
    [hooks, { ...all, query: { labelSelector: 'a' } }, writes],
    [`${says} DeletionHooks before`],
  ],
  ['one sweep twice', [hooks, all, writes, writes], [`${says} nothing before`]],
  ['two sweeps', [hooks, all, writes, hooks, all, writes], []],
])('the status of a DeletionHook is written by %s', async (_what, asked, cries) => {
  const stage = await openWithHook(hookStatusesAreCounted);
  for (const each of asked) stage.ask(each);
  expect(stage.cries).toEqual(cries);
});

test('a status that the server refuses changes nothing', async () => {
  const stage = await openWithHook(hookStatusesAreCounted);
  stage.ask(writes, undefined, 409);
  expect(stage.cries).toEqual([]);
});
