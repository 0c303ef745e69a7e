import { describe, expect, it } from 'vitest';
import { applyObject, NotApplied } from '../../../../infra/cli/deploy/apply-object.ts';
import type { Site } from '../../../../infra/cli/deploy/site.ts';
import type {
  ApplyOptions,
  ApplyOutcome,
  KubernetesForTools,
} from '../../../../shared/adapters/kubernetes/install-client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { quickClock } from '../quick-clock.ts';
import { unaskedCluster } from '../unasked-cluster.ts';
import { clusterRole, configMap, ours, service } from './installation.ts';

const conflict = (owner: string, field: string): ApplyOutcome => ({
  kind: 'conflict',
  conflicts: [{ owner, field }],
});

interface Script {
  before?: KubeObject;
  /** It is marked for deletion, and something holds it. */
  stays?: boolean;
  /** What each apply is answered with, one after the other; as it was wanted where there are no more. */
  answers?: (ApplyOutcome | Error)[];
}

/** A cluster that answers as it is told to. */
function aSite({ before, stays = false, answers = [] }: Script) {
  const asked: ApplyOptions[] = [];
  const deleted: string[] = [];
  let there = before;
  const kubernetes: KubernetesForTools = {
    ...unaskedCluster,
    discover: (group, kind, version = 'v1') =>
      Promise.resolve(kind === 'Unknown' ? undefined : { group, version, plural: `${kind.toLowerCase()}s` }),
    get: () => Promise.resolve(there),
    apply(_, object, options) {
      asked.push(options);
      const answer = answers.shift() ?? { kind: 'applied', object };
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    deleteWithDependents(_, { name }) {
      deleted.push(name);
      if (!stays) there = undefined;
      return Promise.resolve({ kind: 'gone' });
    },
  };
  const site: Site = {
    kubernetes,
    clock: quickClock(1_000),
    interrupted: new AbortController().signal,
    service: 'phaseout',
    where: 'here',
    tell: () => undefined,
    othersNode: async () => undefined,
  };
  return { site, asked, deleted };
}

const wishes = { force: false, dryRun: false };
const containers = '.spec.template.spec.containers';

describe('fields of others', () => {
  it('are left to them', async () => {
    const { site, asked } = aSite({ before: configMap(), answers: [conflict('kubectl-edit', '.data.k')] });
    const applying = applyObject(site, configMap({ k: 'v' }), wishes);
    await expect(applying).rejects.toThrow(
      new NotApplied(configMap(), '.data.k belongs to kubectl-edit (--force-conflicts takes it)'),
    );
    expect(asked).toEqual([{ fieldManager: 'phaseout', force: false, dryRun: false }]);
  });

  it('are taken where it is asked for', async () => {
    const { site, asked } = aSite({ before: configMap() });
    await applyObject(site, configMap({ k: 'v' }), { force: true, dryRun: true });
    expect(asked).toEqual([{ fieldManager: 'phaseout', force: true, dryRun: true }]);
  });

  it.each<[string, KubeObject, string, string]>([
    ['the functions', ours('sources.knative.dev/v1', 'PingSource', 'due'), 'phaseout', '.spec.schedule'],
    ['the SinkBinding', service(), 'webhook', containers],
    ['the SinkBinding of OpenShift', service(), 'eventing-webhook', containers],
  ])('are taken where %s set them on our behalf', async (_, object, owner, field) => {
    const { site, asked } = aSite({ before: object, answers: [conflict(owner, field)] });
    expect(await applyObject(site, object, wishes)).toEqual({ change: 'unchanged', fields: [] });
    expect(asked.map(({ force }) => force)).toEqual([false, true]);
  });

  it.each<[string, KubeObject, string, string]>([
    ['a webhook in other fields of a Service', service(), 'webhook', '.spec.template.metadata.annotations'],
    ['a webhook in another kind', configMap(), 'webhook', containers],
    ['people in the containers', service(), 'kubectl-set', containers],
  ])('are not taken from %s', async (_, object, owner, field) => {
    const { site, asked } = aSite({ before: object, answers: [conflict(owner, field)] });
    await expect(applyObject(site, object, wishes)).rejects.toThrow(NotApplied);
    expect(asked).toHaveLength(1);
  });

  it('are left to them, even if others were set on our behalf', async () => {
    const conflicts = [
      { owner: 'webhook', field: containers },
      { owner: 'kubectl-edit', field: '.spec.template.metadata.annotations' },
    ];
    const { site, asked } = aSite({ before: service(), answers: [{ kind: 'conflict', conflicts }] });
    await expect(applyObject(site, service(), wishes)).rejects.toThrow(NotApplied);
    expect(asked).toHaveLength(1);
  });
});

const job = ours('batch/v1', 'Job', 'phaseout-table', { spec: { template: { image: 'b' } } });
const old: KubeObject = { ...job, metadata: { ...job.metadata, uid: 'u1' } };
const immutable: ApplyOutcome = {
  kind: 'refused',
  code: 422,
  message: 'Job.batch "phaseout-table" is invalid: spec.template: Invalid value: {}: field is immutable',
};

describe('what cannot be changed', () => {
  it('is replaced where nothing is lost with it', async () => {
    const { site, deleted, asked } = aSite({ before: old, answers: [immutable] });
    expect(await applyObject(site, job, wishes)).toEqual({ change: 'replaced', fields: [] });
    expect({ deleted, asked: asked.length }).toEqual({ deleted: ['phaseout-table'], asked: 2 });
  });

  it.each(['RoleBinding', 'ClusterRoleBinding'])(
    'is replaced where it is a %s, which gives what it gave again',
    async (kind) => {
      const binding = ours('rbac.authorization.k8s.io/v1', kind, 'phaseout');
      const before = { ...binding, metadata: { ...binding.metadata, uid: 'u1' } };
      const message = `${kind} "phaseout" is invalid: roleRef: Invalid value: {}: cannot change roleRef`;
      const { site, deleted } = aSite({ before, answers: [{ kind: 'refused', code: 422, message }] });
      expect(await applyObject(site, binding, wishes)).toEqual({ change: 'replaced', fields: [] });
      expect(deleted).toEqual(['phaseout']);
    },
  );

  describe('a Job that has failed', () => {
    const conditions = [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }];
    const failed: KubeObject = { ...old, status: { conditions } };

    it('is replaced: what made it fail may have been put right, and it never tries again', async () => {
      const { site, deleted, asked } = aSite({ before: failed });
      expect(await applyObject(site, job, wishes)).toEqual({ change: 'replaced', fields: [] });
      expect({ deleted, asked: asked.length }).toEqual({ deleted: ['phaseout-table'], asked: 2 });
    });

    it('is left there in a dry run', async () => {
      const { site, deleted } = aSite({ before: failed });
      expect(await applyObject(site, job, { force: false, dryRun: true })).toEqual({
        change: 'replaced',
        fields: [],
      });
      expect(deleted).toEqual([]);
    });

    it.each([
      ['has completed', [{ type: 'Complete', status: 'True' }]],
      ['is under way', []],
    ])('is no Job that %s', async (_how, others) => {
      const { site, deleted } = aSite({ before: { ...old, status: { conditions: others } } });
      expect(await applyObject(site, job, wishes)).not.toMatchObject({ change: 'replaced' });
      expect(deleted).toEqual([]);
    });
  });

  describe('a Service of Knative', () => {
    const failed = { type: 'Ready', status: 'False', reason: 'RevisionFailed' };
    const wanted = service();
    const made = (status: object): KubeObject => ({
      ...wanted,
      metadata: { ...wanted.metadata, uid: 'u3' },
      status,
    });

    it('whose newest Revision was given up gets a new template, and is not deleted', async () => {
      const revision = { latestCreatedRevisionName: 'phaseout-00001' };
      const given = { type: 'ConfigurationsReady', status: 'False', reason: 'RevisionFailed' };
      const { site, deleted } = aSite({ before: made({ ...revision, conditions: [failed, given] }) });
      expect(await applyObject(site, wanted, wishes)).toEqual({
        change: 'changed',
        fields: [
          {
            field: 'spec.template.metadata',
            before: undefined,
            after: { annotations: { 'phaseout.dev/after-revision': 'phaseout-00001' } },
          },
        ],
      });
      expect(deleted).toEqual([]);
    });
  });

  it('is replaced when Knative says so in its own words', async () => {
    const message =
      'admission webhook denied the request: validation failed: Immutable fields changed (-old +new): spec';
    const eventType = ours('eventing.knative.dev/v1beta3', 'EventType', 'a.v1', {
      spec: { description: 'b' },
    });
    const before: KubeObject = { ...eventType, metadata: { ...eventType.metadata, uid: 'u2' } };
    const { site, deleted } = aSite({ before, answers: [{ kind: 'refused', code: 400, message }] });
    expect(await applyObject(site, eventType, wishes)).toMatchObject({ change: 'replaced' });
    expect(deleted).toEqual(['a.v1']);
  });

  it('is not put there again while it has not gone', async () => {
    const { site, asked } = aSite({ before: old, stays: true, answers: [immutable] });
    await expect(applyObject(site, job, wishes)).rejects.toThrow('Job phaseout/phaseout-table did not go');
    expect(asked).toHaveLength(1);
  });

  it.each<[string, ApplyOutcome, string]>([
    ['refuses it', { ...immutable, code: 403, message: 'may not' }, 'may not'],
    ['has had it put there by another', conflict('kubectl', '.spec'), '.spec belongs to kubectl'],
  ])('is not said to be replaced where the cluster %s', async (_, again, why) => {
    const { site } = aSite({ before: old, answers: [immutable, again] });
    await expect(applyObject(site, job, wishes)).rejects.toThrow(why);
  });

  it('is not replaced in a dry run', async () => {
    const { site, deleted, asked } = aSite({ before: old, answers: [immutable] });
    expect(await applyObject(site, job, { force: false, dryRun: true })).toMatchObject({
      change: 'replaced',
    });
    expect({ deleted, asked: asked.length }).toEqual({ deleted: [], asked: 1 });
  });

  it.each<[string, KubeObject, ApplyOutcome]>([
    ['a kind with a life of its own', service(), immutable],
    ['what is refused for another reason', job, { ...immutable, message: 'spec: Required value' }],
    ['what is forbidden', job, { ...immutable, code: 403 }],
  ])('is told of %s', async (_, object, answer) => {
    const { site, deleted } = aSite({ before: object, answers: [answer] });
    await expect(applyObject(site, object, wishes)).rejects.toThrow(NotApplied);
    expect(deleted).toEqual([]);
  });
});

describe('a cluster that cannot answer', () => {
  it('is asked again', async () => {
    const down = new Unavailable('failed calling webhook');
    const { site, asked } = aSite({ answers: [down, down] });
    expect(await applyObject(site, clusterRole, wishes)).toEqual({ change: 'created', fields: [] });
    expect(asked).toHaveLength(3);
  });

  it('is not asked without end', async () => {
    const down = new Unavailable('failed calling webhook');
    const { site, asked } = aSite({ answers: [down, down, down] });
    await expect(applyObject(site, clusterRole, wishes)).rejects.toThrow(down);
    expect(asked).toHaveLength(3);
  });
});

it('a kind that is not served is told by its name', async () => {
  const { site } = aSite({});
  await expect(applyObject(site, ours('x.dev/v1', 'Unknown', 'a'), wishes)).rejects.toThrow(
    'Unknown phaseout/a: x.dev/v1 is not served here',
  );
});
