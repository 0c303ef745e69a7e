import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { HookCall } from '../../../shared/machine/hook-call.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { callHooks } from '../../../shared/reconcile/hooks.ts';
import { anAsked } from '../../builders/asked.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

test('a call that cannot be sent keeps no other from being sent, and is told', async () => {
  const world = aWorld();
  const sent: string[] = [];
  const send = async ({ hook: { name } }: HookCall): Promise<void> => {
    if (name === 'move') throw new Unavailable(`the call of ${name} could not be sent`);
    sent.push(name);
  };
  const env = { ...world.env, hooks: { key: async () => 'a key', send } };
  const subject = aSubject({ phase: 'pre-drain' });
  const context = {
    env,
    subject,
    snapshot: openSnapshot(env, subject),
    workload: async () => world.workload,
  };
  const calls = ['move', 'wipe'].map((name) => ({
    asked: anAsked({ name, uid: `uid-${name}`, begin: timeAfter(5) }),
    begin: after(5),
    attempt: 1,
  }));

  await expect(callHooks({ kind: 'call-hooks', calls }, context)).rejects.toThrow(
    'the call of move could not be sent',
  );
  expect(sent).toEqual(['wipe']);
  expect(await env.store.hookRecords(subject.machine.ref.uid)).toEqual([
    { hook: 'uid-wipe', begin: after(5), askedAt: after(10) },
  ]);
});
