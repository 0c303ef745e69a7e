import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { HookCall } from '../../../shared/machine/hook-call.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { callHooks } from '../../../shared/reconcile/hooks.ts';
import { anAsked } from '../../builders/asked.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

/** Calls of these functions, in the context of a Machine before its drain. `send`: by the function's name. */
function given(names: readonly string[], send: (call: HookCall) => Promise<void>) {
  const world = aWorld();
  const env = { ...world.env, hooks: { key: async () => 'a key', send } };
  const subject = aSubject({ phase: 'pre-drain' });
  const calls = names.map((name) => ({
    asked: anAsked({ name, uid: `uid-${name}`, begin: timeAfter(5) }),
    begin: after(5),
    attempt: 1,
  }));
  const call = (): Promise<unknown> => {
    const snapshot = openSnapshot(env, subject);
    return callHooks(
      { kind: 'call-hooks', calls },
      { env, subject, snapshot, workload: async () => world.workload },
    );
  };
  return { world, subject, call };
}

test('a call that cannot be sent keeps no other from being sent, and is told', async () => {
  const sent: string[] = [];
  const { world, subject, call } = given(['move', 'wipe'], async ({ hook: { name } }) => {
    if (name === 'move') throw new Unavailable(`the call of ${name} could not be sent`);
    sent.push(name);
  });

  await expect(call()).rejects.toThrow('the call of move could not be sent');
  expect(sent).toEqual(['wipe']);
  expect(await world.env.store.hookRecords(subject.machine.ref.uid)).toEqual([
    { hook: 'uid-wipe', begin: after(5), askedAt: after(10) },
  ]);
});

test('calls go without the Node while its API wants to be left alone, and do not ask it again', async () => {
  const told: HookCall['node'][] = [];
  const { world, call } = given(['move'], async ({ node }) => void told.push(node));
  world.workload.on('get nodes/node-1', () => {
    throw new Unavailable('too many requests', { retryAfterSeconds: 20 });
  });
  await call();
  world.time.passed += 19_000;
  await call();
  expect([told, world.workload.reads]).toEqual([[undefined, undefined], ['get nodes/node-1']]);
  world.time.passed += 1_000;
  await call();
  expect(world.workload.reads).toHaveLength(2);
});
