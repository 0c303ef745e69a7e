import { describe, expect, it } from 'vitest';
import { explain } from '../../../shared/explain/explain.ts';
import type { Cause } from '../../../shared/explain/explanation.ts';
import type { Seen } from '../../../shared/explain/seen.ts';
import { type Asked, hooksAnnotation, serializeAsked } from '../../../shared/hooks/asked.ts';
import type { Pod, PodDisruptionBudget } from '../../../shared/kubernetes/objects.ts';
import type { PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';
import { anAsked } from '../../builders/asked.ts';
import { ourHook } from '../../builders/beside.ts';
import { seeing } from './seeing.ts';
import { ofClusterApi, ofOpenShift, shows } from './standings.ts';

const draining = ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', 'Draining') });
const drainingForLong = ofClusterApi({
  checkpoint: { since: '2026-11-27T11:00:00Z' },
  status: shows('DrainingNode', 'Draining'),
});
const inPhase = (phase: 'volume-detach' | 'infrastructure' | 'pre-drain' | 'node') =>
  ofClusterApi({ checkpoint: { phase } });

/** What, whether it ends by itself, and whose it is. */
const told = (seen: Seen) =>
  explain(seen).causes.map(({ what, endsByItself, owner }) => [what, endsByItself, owner]);

const refusal = (cause: PlannedRefusal['cause'], more: Partial<PlannedRefusal> = {}): PlannedRefusal => ({
  pod: 'shop/web-1',
  cause,
  message: 'Cannot evict pod',
  budget: 'shop/web',
  ...more,
});

const budget = (status: object, spec: object = { minAvailable: 2 }): PodDisruptionBudget => ({
  metadata: { name: 'web', namespace: 'shop', annotations: { 'meta.helm.sh/release-name': 'shop' } },
  spec,
  status,
});

describe('a budget that refuses', () => {
  const numbers = { desiredHealthy: 2, currentHealthy: 2, disruptionsAllowed: 0, expectedPods: 3 };

  it('has its numbers, its rule and its owner, and all Pods that it refuses together', () => {
    const refusals = [refusal('BudgetExhausted'), refusal('BudgetExhausted', { pod: 'shop/web-2' })];
    const { causes } = explain(seeing(draining, { refusals }, { budgets: [budget(numbers)] }));
    expect(causes).toEqual<Cause[]>([
      {
        kind: 'budget',
        code: 'BudgetExhausted',
        phase: 'drain',
        what: 'PodDisruptionBudget shop/web refuses shop/web-1, shop/web-2',
        object: {
          side: 'workload',
          resource: 'poddisruptionbudgets.policy',
          kind: 'PodDisruptionBudget',
          namespace: 'shop',
          name: 'web',
        },
        owner: 'Helm release shop',
        numbers: { needs: 2, has: 2, allows: 0, expects: 3 },
        details: ['Cannot evict pod', 'minAvailable 2'],
        endsByItself: 'yes',
        why: 'for the moment: it is tried again when the budget has room, usually once a new Pod is Ready elsewhere.',
      },
    ]);
  });

  it.each([
    ['BudgetExhausted', draining, 'yes', 'progressing', ['looks', 'looks']],
    ['BudgetExhausted', drainingForLong, 'unknown', 'held', ['looks', 'looks', 'changes']],
    ['BudgetNeverAllows', draining, 'no', 'held', ['looks', 'looks', 'changes']],
    ['BudgetHeldByOperator', draining, 'unknown', 'held', ['looks', 'looks']],
  ] as const)('by %s ends by itself or not, and is advised on', (cause, machine, ends, verdict, does) => {
    const explanation = explain(
      seeing(machine, { refusals: [refusal(cause)] }, { budgets: [budget(numbers)] }),
    );
    expect(explanation.endsByItself.answer).toBe(ends);
    expect(explanation.verdict).toBe(verdict);
    expect(explanation.advice.map((advice) => advice.does)).toEqual(does);
  });

  it('is known from the Machine alone where its Pods were not read', () => {
    const message =
      "Drain not completed yet (started at 2026-11-27T12:02:00Z):\n* Pods shop/web-1: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 1 currently";
    const { causes } = explain(
      seeing(ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', message) })),
    );
    expect(causes.map(({ what, numbers: shown }) => [what, shown])).toEqual([
      ['PodDisruptionBudget shop/web refuses to evict shop/web-1', { needs: 2, has: 1 }],
    ]);
  });
});

it('what a DrainPolicy does about a Pod is among the details, as the Machine shows it', () => {
  const ruled =
    'Pod shop/web-1: at 2026-11-27T12:12:00Z its Deployment is restarted, if nothing lets it go before (DrainPolicy workers, BudgetNeverAllows)';
  const machine = ofClusterApi({
    checkpoint: {},
    status: shows('DrainingNode', `Drain not completed yet:\n${ruled}`),
  });
  const { causes } = explain(seeing(machine, { refusals: [refusal('BudgetNeverAllows')] }));
  expect(causes[0]?.details).toEqual(['Cannot evict pod', ruled.replace('Pod ', '')]);
});

it('what a DrainPolicy will do about a Pod is foretold of a living Machine', () => {
  const action =
    'its Deployment is restarted once BudgetNeverAllows has kept it for 600 s (DrainPolicy workers)';
  const { causes } = explain(seeing(draining, { refusals: [refusal('BudgetNeverAllows', { action })] }));
  expect(causes[0]?.details).toEqual(['Cannot evict pod', `shop/web-1: ${action}`]);
});

it('a webhook that denies an eviction is named, with what to look at', () => {
  const denial =
    'admission webhook "virt.example" denied the request: Eviction triggered evacuation of VMI "shop/vm-1"';
  const message = `Drain not completed yet (started at 2026-11-27T12:02:00Z):\n* Pod shop/vm-1: failed to evict Pod, ${denial}`;
  const { causes, advice, standing } = explain(
    seeing(ofClusterApi({ checkpoint: {}, status: shows('DrainingNode', message) })),
  );
  expect(causes).toMatchObject([
    {
      kind: 'eviction',
      code: 'AdmissionWebhook',
      what: 'admission webhook virt.example refuses to evict shop/vm-1',
      owner: 'admission webhook virt.example',
      details: [denial],
      endsByItself: 'unknown',
    },
  ]);
  expect(standing?.acts).toEqual({ who: 'operator', name: 'admission webhook virt.example' });
  expect(advice.map(({ command }) => command)).toContain(
    'kubectl --context blue get validatingwebhookconfigurations,mutatingwebhookconfigurations',
  );
});

const aPod = (name: string, metadata: object, more: Partial<Pod> = {}): Pod => ({
  metadata: { name, namespace: 'shop', ...metadata },
  spec: {},
  ...more,
});
const ran = (state: object) => ({ status: { containerStatuses: [{ name: 'web', state }] } });
const mustGo = (name: string, behavior: 'Drain' | 'WaitCompleted' | 'Skip' = 'Drain') => ({
  namespace: 'shop',
  name,
  behavior,
  order: 0,
  decidedBy: 'default',
  warnings: [],
});

describe('a budget of a later batch', () => {
  const ahead = [{ ...refusal('BudgetNeverAllows'), batch: 2 }];
  const what = 'PodDisruptionBudget shop/web will refuse in batch 2 to evict shop/web-1';

  it('would hold a living Machine', () => {
    const living = ofClusterApi({ metadata: { deletionTimestamp: undefined } });
    expect(told(seeing(living, { refusalsAhead: ahead }))).toEqual([[what, 'no', undefined]]);
  });

  it('holds nothing yet while the drain has not come to it, and is told from the beginning', () => {
    for (const machine of [draining, inPhase('pre-drain')]) {
      const { causes, later } = explain(seeing(machine, { refusalsAhead: ahead }));
      expect([causes, later]).toEqual([[], [`drain: ${what}`]]);
    }
    expect(explain(seeing(inPhase('infrastructure'), { refusalsAhead: ahead })).later).toEqual([]);
  });

  it('is what a way round the present one leads to', () => {
    const refusals = [refusal('BudgetNeverAllows', { budget: 'shop/db', pod: 'shop/db-0' })];
    const { advice } = explain(seeing(draining, { refusals, refusalsAhead: ahead }));
    expect(advice.filter(({ does }) => does !== 'looks').map(({ why }) => why)).toEqual([
      `a rule that lets at least one Pod go; next: drain: ${what}`,
    ]);
  });

  it('is told where a hook before the drain holds the Machine', () => {
    const refusals = [refusal('BudgetNeverAllows')];
    expect(explain(seeing(inPhase('pre-drain'), { refusals })).later).toEqual([
      'drain: PodDisruptionBudget shop/web will refuse in batch 1 to evict shop/web-1',
    ]);
  });
});

describe('a budget whose sync fails', () => {
  const message =
    "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget web does not allow evicting pods currently because it failed sync: no scale";

  it('has no numbers, ends when that is mended, and is not advised to be changed', () => {
    const refusals = [refusal('BudgetNeverAllows', { message })];
    const status = { desiredHealthy: 2, currentHealthy: 2, disruptionsAllowed: 0, expectedPods: 3 };
    const { causes, advice } = explain(seeing(draining, { refusals }, { budgets: [budget(status)] }));
    expect(causes).toMatchObject([{ endsByItself: 'no', why: expect.stringContaining('sync is mended') }]);
    expect(causes[0]).not.toHaveProperty('numbers');
    expect(advice.map(({ does }) => does)).toEqual(['looks', 'looks']);
  });
});

describe('Pods that are on their way', () => {
  const overdue = { deletionTimestamp: '2026-11-27T12:05:00Z', deletionGracePeriodSeconds: 30 };
  const inTime = { deletionTimestamp: '2026-11-27T12:10:20Z', deletionGracePeriodSeconds: 30 };

  it.each([
    ['in time', inTime, 'Pod shop/a stops', 'yes'],
    ['that should be gone', overdue, 'Pod shop/a stops, and should be gone since 5 min', 'unknown'],
    [
      'with finalizers',
      { ...overdue, finalizers: ['example.com/x'] },
      'Pod shop/a stops, and should be gone since 5 min',
      'unknown',
    ],
  ])('%s', (_what, metadata, what, ends) => {
    const seen = seeing(draining, { pods: [mustGo('a')] }, { pods: [aPod('a', metadata)] });
    expect(told(seen)).toEqual([[what, ends, undefined]]);
  });

  const claim = { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] };

  it.each<[string, object, Partial<Pod>, string]>([
    [
      'a finalizer',
      { finalizers: ['example.com/x'] },
      {},
      'it waits for finalizer example.com/x: the controller of each has to take it off',
    ],
    ['a container that runs', {}, ran({ running: {} }), 'its kubelet should have ended container web'],
    [
      'a volume',
      {},
      { spec: claim, ...ran({ terminated: {} }) },
      'its containers have stopped, and its kubelet has to unmount the volume of claim shop/data',
    ],
    ['nothing to see', {}, {}, 'its kubelet should have removed it: look at the containers and the Node'],
  ])('that should be gone are told with what holds them: %s', (_what, metadata, more, why) => {
    const pods = [aPod('a', { ...overdue, ...metadata }, more)];
    const { causes } = explain(seeing(draining, { pods: [mustGo('a')] }, { pods }));
    expect(causes).toMatchObject([{ kind: 'pod', code: 'Terminating', endsByItself: 'unknown', why }]);
  });

  it('on a Node that is silent are told with since when', () => {
    const unreachable = { node: 'node-1', since: '2026-11-27T11:50:00Z', changes: [] };
    const seen = seeing(draining, { pods: [mustGo('a')], unreachable }, { pods: [aPod('a', overdue)] });
    expect(explain(seen).causes[0]?.why).toBe(
      'Node node-1 is unreachable: its kubelet, silent since 2026-11-27T11:50:00Z, cannot say that it has stopped',
    );
  });

  it('with finalizers are not advised to be forced off: they would stay', () => {
    const kept = { ...overdue, finalizers: ['example.com/x'] };
    const seen = seeing(draining, { pods: [mustGo('a')] }, { pods: [aPod('a', kept)] });
    expect(explain(seen).advice.map(({ does }) => does)).toEqual(['looks']);
  });

  it('that stay hold nothing', () => {
    const seen = seeing(draining, { pods: [mustGo('a', 'Skip')] }, { pods: [aPod('a', overdue)] });
    expect(told(seen)).toEqual([]);
    expect(explain(seen)).toMatchObject({
      verdict: 'progressing',
      endsByItself: { answer: 'yes', why: 'nothing holds it now: phaseout goes on' },
    });
  });

  it('are told by name up to three', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const seen = seeing(
      draining,
      { pods: names.map((name) => mustGo(name)) },
      { pods: names.map((name) => aPod(name, inTime)) },
    );
    expect(told(seen).map(([what]) => what)).toEqual([
      'Pod shop/a stops',
      'Pod shop/b stops',
      'Pod shop/c stops',
      '2 more Pods stop',
    ]);
  });

  it('are only forced last, with what that costs', () => {
    const seen = seeing(draining, { pods: [mustGo('a')] }, { pods: [aPod('a', overdue)] });
    expect(explain(seen).advice.map(({ does, command }) => [does, command])).toEqual([
      ['looks', 'kubectl --context blue describe pods a -n shop'],
      ['destroys', 'kubectl --context blue delete pods a -n shop --grace-period=0 --force'],
    ]);
  });
});

const phasesThat = (does: 'wait' | 'work') => [
  { phase: 'pre-drain' as const, does, why: '' },
  { phase: 'drain' as const, does: 'work' as const, why: '' },
  { phase: 'pre-terminate' as const, does: 'wait' as const, why: '' },
];

const fields = (key: string) => ({
  manager: 'mover',
  time: '2026-11-20T00:00:00Z',
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${key}`]: {} } } },
});

describe('a hook', () => {
  const theirs = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move';
  const later = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/back-up';
  const hooks = [
    { point: 'pre-drain' as const, name: theirs, owner: 'mover' },
    { point: 'pre-terminate' as const, name: later },
  ];
  it('holds where it is waited for, with its age as far as a manager owns it; one of a later phase comes later', () => {
    const machine = ofClusterApi({
      checkpoint: { phase: 'pre-drain' },
      annotations: { [theirs]: 'mover' },
      metadata: { managedFields: [fields(theirs)] },
    });
    const { causes, later: ahead, advice } = explain(seeing(machine, { hooks, phases: phasesThat('wait') }));
    expect(causes.map(({ what, owner, details }) => [what, owner, details])).toEqual([
      [
        'pre-drain hook move of mover',
        'mover',
        [`annotation ${theirs}`, 'set by mover, at 2026-11-20T00:00:00Z at the latest'],
      ],
    ]);
    expect(ahead).toEqual(['pre-terminate: hook back-up of unknown will hold it']);
    expect(advice.at(-1)).toMatchObject({
      does: 'destroys',
      command: `kubectl annotate machines.cluster.x-k8s.io md-1 -n prod ${theirs}-`,
    });
  });

  it('holds late, too', () => {
    const machine = ofClusterApi({ checkpoint: { phase: 'drain' }, annotations: { [theirs]: 'mover' } });
    expect(told(seeing(machine, { hooks, phases: phasesThat('wait') })).map(([what]) => what)).toEqual([
      'pre-drain hook move of mover',
    ]);
  });

  it('of OpenShift is taken off by its place in the list, and only if it is still there', () => {
    const lists = {
      preDrain: [
        { name: 'Other', owner: 'o' },
        { name: 'Quorum', owner: 'etcd' },
      ],
    };
    const seen = seeing(ofOpenShift({ spec: { lifecycleHooks: lists } }), {
      hooks: [{ point: 'pre-drain', name: 'Quorum', owner: 'etcd' }],
      phases: phasesThat('wait'),
    });
    expect(explain(seen).advice.at(-1)?.command).toBe(
      'kubectl patch machines.machine.openshift.io worker-a -n openshift-machine-api --type json -p ' +
        `'[{"op":"test","path":"/spec/lifecycleHooks/preDrain/1/name","value":"Quorum"},{"op":"remove","path":"/spec/lifecycleHooks/preDrain/1"}]'`,
    );
  });

  it('of ours has its own way out, once phaseout should have begun', () => {
    const held = ofClusterApi({ annotations: { [ourHook]: 'phaseout.dev' } });
    const soon = explain(seeing(held));
    expect([soon.verdict, soon.advice.map(({ does }) => does)]).toEqual(['progressing', ['looks', 'looks']]);
    const late = { ...held, metadata: { ...held.metadata, deletionTimestamp: '2026-11-27T11:00:00Z' } };
    const stuck = explain(seeing(late));
    expect([stuck.verdict, stuck.advice.at(-1)?.command]).toEqual(['held', 'phaseout release prod/md-1']);
  });
});

describe('a volume', () => {
  const volumes = [{ kind: 'PersistentVolumeClaim' as const, name: 'shop/data' }];
  const attached = {
    attachments: [
      { name: 'va-1', persistentVolume: 'pv-1', claim: 'shop/data', attacher: 'ebs.csi.aws.com' },
    ],
  };
  const what = 'PersistentVolumeClaim shop/data is attached to Node n1';

  it('has its driver, and the Pods that use it', () => {
    const user: Pod = {
      metadata: { name: 'db-0', namespace: 'shop' },
      spec: { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] },
    };
    const seen = seeing(inPhase('volume-detach'), { volumes }, { ...attached, pods: [user] });
    expect(told(seen)).toEqual([[what, 'yes', 'CSI driver ebs.csi.aws.com']]);
    expect(explain(seen).causes[0]?.details).toEqual(['used there by Pod shop/db-0']);
  });

  it('whose driver fails may not come off', () => {
    const failing = [{ ...volumes[0]!, attachment: 'va-1', detachError: 'rpc error' }];
    expect(told(seeing(inPhase('volume-detach'), { volumes: failing }, attached))).toEqual([
      [what, 'unknown', 'CSI driver ebs.csi.aws.com'],
    ]);
  });

  it('without a PersistentVolume never does', () => {
    const stale = [{ kind: 'VolumeAttachment' as const, name: 'va-1', persistentVolume: 'gone' }];
    expect(
      told(seeing(inPhase('volume-detach'), { volumes: stale }, attached)).map(([, ends]) => ends),
    ).toEqual(['no']);
  });

  it('holds nothing before its phase', () => {
    expect(told(seeing(draining, { volumes }, attached))).toEqual([]);
  });
});

const object = (status: object, deletionTimestamp = '2026-11-27T12:09:00Z') => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: { name: 'md-1', namespace: 'prod', deletionTimestamp, finalizers: ['aws.example/x'] },
  status,
});

describe('the infrastructure object', () => {
  const failing = {
    conditions: [
      { type: 'Ready', status: 'False', reason: 'DeletionFailed', message: 'instance is protected' },
      { type: 'Provisioned', status: 'True', reason: 'Provisioned' },
    ],
  };

  it('says of itself why it stays', () => {
    const seen = seeing(inPhase('infrastructure'), {}, { infrastructure: object(failing) });
    expect(told(seen)).toEqual([
      ['AWSMachine md-1 is being deleted, for 60 s so far', 'unknown', 'the provider of AWSMachine'],
    ]);
    expect(explain(seen).causes[0]?.details).toEqual([
      'Ready False: DeletionFailed: instance is protected',
      'its finalizers: aws.example/x',
    ]);
  });

  it('goes by itself while its provider is at work', () => {
    const seen = seeing(inPhase('infrastructure'), {}, { infrastructure: object({}) });
    expect(explain(seen)).toMatchObject({ verdict: 'progressing', endsByItself: { answer: 'yes' } });
  });
});

describe('an explanation', () => {
  it('says of what was not read that it is unknown', () => {
    const unread = 'not read: pods in the workload cluster prod/blue: forbidden for user ada';
    const phases = [{ phase: 'drain' as const, does: 'unknown' as const, why: unread }];
    expect(explain(seeing(draining, { phases }, { unread: [unread] }))).toMatchObject({
      verdict: 'unknown',
      unread: [unread],
      causes: [{ kind: 'unread', what: `what holds drain is unknown: ${unread}` }],
      endsByItself: { answer: 'unknown', why: 'what decides was not read' },
    });
  });

  it('has the word of the Machine where nothing else explains it', () => {
    expect(told(seeing(drainingForLong))).toEqual([['DrainingNode: Draining', 'unknown', 'phaseout']]);
  });

  it('is about the finalizers of others alone where ours is gone', () => {
    const left = ofClusterApi({ checkpoint: { phase: 'finalize' }, finalizers: ['example.com/audit'] });
    expect(told(seeing(left)).map(([what]) => what)).toEqual([
      'the finalizers of others keep it: example.com/audit',
    ]);
  });

  it('has when each step is given up, and counts its own as the Machine does', () => {
    const limited = ofClusterApi({
      checkpoint: { reached: '2026-11-27T12:01:59Z' },
      spec: { deletion: { nodeDrainTimeoutSeconds: 600 } },
    });
    const afterwards = 'x';
    const limits = [
      { phase: 'drain' as const, seconds: 600, leftSeconds: 600, afterwards },
      { phase: 'node' as const, seconds: 10, leftSeconds: 10, afterwards },
    ];
    expect(explain(seeing(limited, { limits })).givenUp).toEqual([
      { phase: 'drain', seconds: 600, at: '2026-11-27T12:12:00Z', afterwards },
      { phase: 'node', seconds: 10, afterwards },
    ]);
  });

  it('has what was tried where the history was read', () => {
    const history = [
      {
        at: Date.parse('2026-11-27T12:02:00Z'),
        id: '1',
        phase: 'drain',
        what: 'acted' as const,
        reason: 'r',
        message: 'm',
        by: 'i',
      },
    ];
    expect(explain(seeing(draining, {}, { history })).tried).toEqual([
      { at: '2026-11-27T12:02:00Z', phase: 'drain', what: 'acted', reason: 'r', message: 'm', by: 'i' },
    ]);
    expect(explain(seeing(draining))).not.toHaveProperty('tried');
  });

  it('quotes what a shell would take for more than a word', () => {
    const name = "x'; rm -rf /";
    const seen = seeing(draining, { pods: [mustGo(name, 'WaitCompleted')] }, { pods: [aPod(name, {})] });
    expect(explain(seen).advice.map(({ command }) => command)).toEqual([
      `kubectl --context blue describe pods 'x'\\''; rm -rf /' -n shop`,
    ]);
  });
});

/** A Machine before its drain that waits for a function. */
const waiting = (parts: Partial<Asked>) => {
  const machine = inPhase('pre-drain');
  const { uid = '' } = machine.metadata;
  const annotations = {
    ...machine.metadata.annotations,
    [hooksAnnotation]: serializeAsked(uid, [anAsked({ begin: '2026-11-27T11:59:00.000Z', ...parts })]),
  };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};

describe('the function of a DeletionHook', () => {
  it.each<[what: string, parts: Partial<Asked>, expected: string[]]>([
    [
      'has not answered',
      {},
      [
        'Waiting for DeletionHook move-data: no answer yet',
        'unknown',
        'the function of DeletionHook move-data',
      ],
    ],
    [
      'fails, and says who can help',
      {
        contact: '#storage',
        said: { state: 'Failed', message: 'disk busy', at: '2026-11-27T11:59:30.000Z' },
      },
      [
        'Waiting for DeletionHook move-data: it has failed: disk busy (contact #storage)',
        'unknown',
        '#storage',
      ],
    ],
    [
      'has a time limit that lets the Machine go on',
      { timeoutSeconds: 7_200, onTimeout: 'Proceed', contact: '#storage' },
      ['Waiting for DeletionHook move-data: no answer yet', 'yes', '#storage'],
    ],
  ])('%s', (_what, parts, expected) => {
    expect(told(seeing(waiting(parts)))).toContainEqual(expected);
  });

  it('says where its runbook is', () => {
    const { causes } = explain(seeing(waiting({ runbook: 'https://runbooks.example/osd' })));
    expect(causes.find(({ hook }) => hook === 'move-data')?.details).toEqual([
      'https://runbooks.example/osd',
    ]);
  });

  it('holds nothing once its turn has ended', () => {
    const end = { as: 'Done', at: '2026-11-27T11:59:40.000Z', why: 'all moved' } as const;
    const texts = told(seeing(waiting({ end }))).map(([what]) => what);
    expect(texts.filter((text) => text?.includes('DeletionHook'))).toEqual([]);
  });
});
