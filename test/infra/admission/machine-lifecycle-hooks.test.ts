import { describe, expect, it } from 'vitest';
import { audit, backup, etcd, type Hooks, Stage } from './stage.ts';

const preDrain = (hooks: string) =>
  `spec.lifecycleHooks.preDrain: Forbidden: pre-drain hooks are immutable when machine is marked for deletion: the following hooks are new or changed: [${hooks}]`;
const preTerminate = (hooks: string) =>
  `spec.lifecycleHooks.preTerminate: Forbidden: pre-terminate hooks are immutable when machine is marked for deletion: the following hooks are new or changed: [${hooks}]`;
const denied = (why: string) =>
  `machines.machine.openshift.io "m" is forbidden: ValidatingAdmissionPolicy 'machine-lifecycle-hooks.phaseout.dev' with binding 'machine-lifecycle-hooks.phaseout.dev' denied request: ${why}`;

/** `null` takes a list away, as a merge patch has it. */
type Change = { preDrain?: Hooks['preDrain'] | null; preTerminate?: Hooks['preTerminate'] | null };

describe('the hooks of a Machine that is being deleted', () => {
  it.each<[string, Hooks | undefined, Change | null]>([
    ['one may go', { preDrain: [etcd, backup] }, { preDrain: [backup] }],
    ['the last may go', { preDrain: [etcd] }, { preDrain: [] }],
    ['a list may go', { preDrain: [etcd], preTerminate: [backup] }, { preTerminate: null }],
    ['all may go at once', { preDrain: [etcd], preTerminate: [backup] }, null],
    ['they may change places', { preDrain: [etcd, backup, audit] }, { preDrain: [audit, etcd, backup] }],
    [
      'one may go and others change places',
      { preDrain: [etcd, backup, audit] },
      { preDrain: [audit, backup] },
    ],
    ['an empty list may come', undefined, { preDrain: [] }],
  ])('%s', async (_, before, change) => {
    const stage = await Stage.with(before);
    const answer = stage.patch({ spec: { lifecycleHooks: change } });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body.message).toBeUndefined();
  });

  it.each<[string, Hooks | undefined, Change, string]>([
    [
      'none may be added',
      { preDrain: [etcd] },
      { preDrain: [etcd, backup] },
      preDrain('{Name:backup Owner:team/backup}'),
    ],
    [
      'none may come where there were none',
      undefined,
      { preTerminate: [backup] },
      preTerminate('{Name:backup Owner:team/backup}'),
    ],
    [
      'none may come into a list that was empty',
      { preDrain: [], preTerminate: [] },
      { preDrain: [etcd] },
      preDrain('{Name:EtcdQuorumOperator Owner:clusteroperator/etcd}'),
    ],
    [
      'none may be renamed',
      { preDrain: [backup] },
      { preDrain: [{ ...backup, name: 'restore' }] },
      preDrain('{Name:restore Owner:team/backup}'),
    ],
    [
      'none may have another owner',
      { preTerminate: [backup] },
      { preTerminate: [{ ...backup, owner: 'me/too' }] },
      preTerminate('{Name:backup Owner:me/too}'),
    ],
    [
      'none may go over to the other list',
      { preDrain: [backup] },
      { preDrain: [], preTerminate: [backup] },
      preTerminate('{Name:backup Owner:team/backup}'),
    ],
    [
      'none may come in the place of another',
      { preDrain: [backup, etcd] },
      { preDrain: [etcd, audit] },
      preDrain('{Name:audit Owner:team/audit}'),
    ],
    [
      'all that are new or changed are named, as they are ordered',
      { preDrain: [etcd] },
      { preDrain: [backup, { ...etcd, owner: 'me/too' }, audit] },
      preDrain(
        '{Name:backup Owner:team/backup} {Name:EtcdQuorumOperator Owner:me/too} {Name:audit Owner:team/audit}',
      ),
    ],
    [
      'both lists are judged at once',
      { preDrain: [etcd] },
      { preDrain: [etcd, backup], preTerminate: [audit] },
      `[${preDrain('{Name:backup Owner:team/backup}')}, ${preTerminate('{Name:audit Owner:team/audit}')}]`,
    ],
  ])('%s', async (_, before, change, why) => {
    const stage = await Stage.with(before);
    const kept = stage.machine();
    expect(stage.setHooks(change)).toMatchObject({
      status: 403,
      body: {
        kind: 'Status',
        reason: 'Forbidden',
        code: 403,
        message: denied(why),
        details: {
          name: 'm',
          group: 'machine.openshift.io',
          kind: 'machines',
          causes: [{ message: denied(why).slice('machines.machine.openshift.io "m" is forbidden: '.length) }],
        },
      },
    });
    expect(stage.machine()).toEqual(kept);
  });

  const added = { lifecycleHooks: { preDrain: [backup] } };
  const why = denied(preDrain('{Name:backup Owner:team/backup}'));

  it('are held against whichever way of writing is used', async () => {
    const stage = await Stage.with({ preDrain: [] });
    const machine = stage.machine();
    const spec = { ...Object(machine.spec), ...added };
    const put = stage.put({ ...machine, spec });
    const { deletionTimestamp: _forgotten, ...metadata } = machine.metadata;
    const forgetful = stage.put({ ...machine, metadata, spec });
    const answers = [put, forgetful, stage.patch({ spec: added }), stage.apply({ spec: added })];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(new Set(answers.map(({ body }) => body.message))).toEqual(new Set([why]));
  });

  it('are held against a dry run, too', async () => {
    const stage = await Stage.with(undefined);
    const { name, namespace } = stage.machine().metadata;
    const { status } = stage.server.respond({
      method: 'PATCH',
      path: `/apis/machine.openshift.io/v1beta1/namespaces/${namespace}/machines/${name}`,
      query: { dryRun: 'All' },
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: added }),
    });
    expect(status).toBe(403);
  });

  it('with a name of several lines are refused in fewer words', async () => {
    const stage = await Stage.with(undefined);
    expect(stage.setHooks({ preDrain: [{ name: 'a-hook', owner: 'a\nb' }] }).body.message).toBe(
      denied('spec.lifecycleHooks: Forbidden: hooks are immutable when machine is marked for deletion'),
    );
  });

  it('too many to be named are refused in fewer words', async () => {
    const stage = await Stage.with(undefined);
    const many = Array.from({ length: 300 }, (_, i) => ({ name: `hook-${i}`, owner: 'me/too' }));
    expect(stage.setHooks({ preTerminate: many }).body.message).toBe(
      denied('spec.lifecycleHooks: Forbidden: hooks are immutable when machine is marked for deletion'),
    );
  });
});

describe('what the policy has no say in', () => {
  it('hooks of a Machine that lives', async () => {
    const stage = await Stage.with({ preDrain: [etcd] }, { isDeleting: false });
    const change = { preDrain: [{ ...etcd, owner: 'me/too' }, backup], preTerminate: [audit] };
    expect(stage.setHooks(change)).toMatchObject({ status: 200, body: { spec: { lifecycleHooks: change } } });
  });

  it('other fields of a Machine that is being deleted', async () => {
    const stage = await Stage.with({ preDrain: [etcd] });
    expect(stage.patch({ spec: { providerID: 'aws:///i-1' } }).status).toBe(200);
    expect(stage.patch({ metadata: { annotations: { a: 'b' } } }).status).toBe(200);
  });

  it('its status', async () => {
    const stage = await Stage.with({ preDrain: [etcd] });
    const answer = stage.patch(
      { spec: { lifecycleHooks: { preDrain: [backup] } }, status: { phase: 'Deleting' } },
      'status',
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { spec: { lifecycleHooks: { preDrain: [etcd] } }, status: { phase: 'Deleting' } },
    });
  });

  it('the removal of its last finalizer, hooks or not', async () => {
    const stage = await Stage.with({ preDrain: [etcd], preTerminate: [backup] });
    expect(stage.patch({ metadata: { finalizers: null } }).status).toBe(200);
    expect(() => stage.machine()).toThrow('the Machine is gone');
  });
});
