import { expect, test } from 'vitest';
import { judgePods, type PodContext } from '../../../shared/drain/classify.ts';
import { daemonSetsToLookUp, rulesMatter } from '../../../shared/drain/filters.ts';
import { namespacesMatter, readRules } from '../../../shared/drain/rules.ts';
import type { PodVerdict } from '../../../shared/drain/verdict.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { MachineDrainRule, Pod } from '../../../shared/kubernetes/objects.ts';
import { bare, pod, rule } from '../../builders/pods.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const rulesOf = (...rules: MachineDrainRule[]) =>
  readRules(rules, { machineLabels: {}, clusterLabels: {} }).rules;

function context(parts: Partial<PodContext> = {}): PodContext {
  return {
    now,
    unreachable: false,
    daemonSets: new Map([
      ['ns/proxy', 'present'],
      ['ns/orphaned', 'absent'],
    ]),
    daemonSetOwners: 'of-any-group',
    labelsCount: true,
    rules: [],
    namespaces: undefined,
    ...parts,
  };
}

function verdictOn(subject: Pod, parts: Partial<PodContext> = {}): PodVerdict {
  const judgement = judgePods([subject], context(parts));
  if (judgement.kind === 'failed') throw new Error(judgement.failure.message);
  return judgement.verdicts[0]!;
}

const proxy = { owner: { kind: 'DaemonSet', name: 'proxy' } };
const orphan = { owner: { kind: 'DaemonSet', name: 'orphaned' } };
const mirror = { 'kubernetes.io/config.mirror': '' };
const drainLabel = (value: string) => ({ 'cluster.x-k8s.io/drain': value });
const emptyDir = { volumes: [{ name: 'scratch', emptyDir: {} }] };
const unreachable = { unreachable: true };
const ago = (seconds: number) => ({ deletionTimestamp: new Date(now - seconds * 1000).toISOString() });
const toDrain = (order: number) => rulesOf(rule('all', { drain: { behavior: 'Drain', order } }));
const toSkip = rulesOf(rule('all', { drain: { behavior: 'Skip' } }));
const toWait = rulesOf(rule('all', { drain: { behavior: 'WaitCompleted', order: 7 } }));

type Expected = [behavior: string, order: number, decidedBy: string, warnings: string[], stays?: string];

test.each<[string, Pod, Partial<PodContext>, Expected]>([
  ['a plain Pod is drained', pod('ns/a'), {}, ['Drain', 0, 'default', []]],

  [
    'unreachable: a Pod that should have gone 2 s ago is skipped',
    pod('ns/a', ago(2)),
    unreachable,
    ['Skip', 0, 'deletionTimestamp on an unreachable Node', []],
  ],
  [
    'unreachable: 1.999 s are one whole second',
    pod('ns/a', ago(1.999)),
    unreachable,
    ['Drain', 0, 'default', []],
  ],
  [
    'unreachable: a deletionTimestamp still to come',
    pod('ns/a', ago(-30)),
    unreachable,
    ['Drain', 0, 'default', []],
  ],
  [
    'reachable: terminating for a day still blocks',
    pod('ns/a', ago(86_400)),
    {},
    ['Drain', 0, 'default', []],
  ],
  [
    'unreachable: also a Pod to wait for is skipped once it should have gone',
    pod('ns/a', { ...ago(5), labels: drainLabel('wait-completed') }),
    unreachable,
    ['Skip', 0, 'deletionTimestamp on an unreachable Node', []],
  ],

  [
    'a DaemonSet Pod is skipped',
    pod('ns/a', { ...proxy, ...emptyDir }),
    {},
    ['Skip', 0, 'DaemonSet ns/proxy', ['ignoring DaemonSet-managed Pod']],
  ],
  [
    'a finished DaemonSet Pod is drained',
    pod('ns/a', { ...proxy, phase: 'Failed' }),
    {},
    ['Drain', 0, 'default', []],
  ],
  [
    'a Pod whose DaemonSet is gone is drained',
    pod('ns/a', orphan),
    {},
    ['Drain', 0, 'default', ['evicting orphaned DaemonSet-managed Pod']],
  ],
  [
    'an owner that is not the controller does not count',
    pod('ns/a', { owner: { kind: 'DaemonSet', name: 'proxy', controller: false } }),
    {},
    ['Drain', 0, 'default', ['evicting Pod that has no controller']],
  ],

  [
    'a DaemonSet decides before a mirror annotation does',
    pod('ns/a', { ...proxy, annotations: mirror }),
    {},
    ['Skip', 0, 'DaemonSet ns/proxy', ['ignoring DaemonSet-managed Pod']],
  ],
  [
    'unreachable: a deletionTimestamp decides before a DaemonSet does',
    pod('ns/a', { ...proxy, ...ago(5) }),
    unreachable,
    ['Skip', 0, 'deletionTimestamp on an unreachable Node', []],
  ],

  [
    'beside the controller of the API: a Pod of phaseout itself is left to that',
    pod('ns/a', { labels: drainLabel('wait-completed') }),
    { ownNamespace: 'ns' },
    ['Skip', 0, 'phaseout itself', [], 'as-ours'],
  ],
  [
    'beside the controller of the API: a Pod elsewhere is drained',
    pod('ns/a'),
    { ownNamespace: 'phaseout' },
    ['Drain', 0, 'default', []],
  ],
  ['a mirror Pod is skipped', pod('ns/a', { annotations: mirror }), {}, ['Skip', 0, 'mirror Pod', []]],
  [
    'a mirror annotation with an empty value beats label and rule',
    pod('ns/a', { annotations: mirror, labels: drainLabel('wait-completed') }),
    { rules: toDrain(3) },
    ['Skip', 0, 'mirror Pod', []],
  ],
  [
    'a skipped mirror Pod has no warnings about an eviction it is not going to have',
    bare('ns/a', { annotations: mirror, ...emptyDir }),
    {},
    ['Skip', 0, 'mirror Pod', []],
  ],

  [
    'storage of the cluster is not',
    pod('ns/a', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }] }),
    {},
    ['Drain', 0, 'default', []],
  ],
  ['nor is none', pod('ns/a', { volumes: [] }), {}, ['Drain', 0, 'default', []]],
  [
    'local storage beside storage of the cluster is',
    pod('ns/a', {
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }, ...emptyDir.volumes],
    }),
    {},
    ['Drain', 0, 'default', ['evicting Pod with local storage']],
  ],
  [
    'local storage is warned of',
    pod('ns/a', emptyDir),
    {},
    ['Drain', 0, 'default', ['evicting Pod with local storage']],
  ],
  [
    'not that of a finished Pod',
    pod('ns/a', { ...emptyDir, phase: 'Succeeded' }),
    {},
    ['Drain', 0, 'default', []],
  ],
  [
    'a Pod without a controller is warned of',
    bare('ns/a'),
    {},
    ['Drain', 0, 'default', ['evicting Pod that has no controller']],
  ],
  ['not a finished one', bare('ns/a', { phase: 'Failed' }), {}, ['Drain', 0, 'default', []]],
  [
    'warnings add up in the order of the filters, also under a rule',
    bare('ns/a', emptyDir),
    { rules: toDrain(3) },
    [
      'Drain',
      3,
      'MachineDrainRule all',
      ['evicting Pod with local storage', 'evicting Pod that has no controller'],
    ],
  ],

  ...['skip', 'Skip', 'SKIP'].map((value): [string, Pod, Partial<PodContext>, Expected] => [
    `the label value ${value} skips`,
    pod('ns/a', { labels: drainLabel(value) }),
    {},
    ['Skip', 0, `label cluster.x-k8s.io/drain=${value}`, [], 'by-wish'],
  ]),
  ...['wait-completed', 'WaitCompleted', 'waitcompleted', 'Wait-Completed', '-waitcompleted'].map(
    (value): [string, Pod, Partial<PodContext>, Expected] => [
      `the label value ${value} waits`,
      pod('ns/a', { labels: drainLabel(value) }),
      {},
      ['WaitCompleted', 0, `label cluster.x-k8s.io/drain=${value}`, []],
    ],
  ),
  ...['', 'true', 'drain', 'wait--completed', 's-kip'].map(
    (value): [string, Pod, Partial<PodContext>, Expected] => [
      `the label value "${value}" says nothing`,
      pod('ns/a', { labels: drainLabel(value) }),
      {},
      ['Drain', 0, 'default', []],
    ],
  ),
  [
    'the label skip beats a Drain rule',
    pod('ns/a', { labels: drainLabel('skip') }),
    { rules: toDrain(3) },
    ['Skip', 0, 'label cluster.x-k8s.io/drain=skip', [], 'by-wish'],
  ],
  [
    'the label wait-completed beats a Skip rule',
    pod('ns/a', { labels: drainLabel('wait-completed') }),
    { rules: toSkip },
    ['WaitCompleted', 0, 'label cluster.x-k8s.io/drain=wait-completed', []],
  ],

  [
    'a Drain rule gives its order',
    pod('ns/a'),
    { rules: toDrain(5) },
    ['Drain', 5, 'MachineDrainRule all', []],
  ],
  ['orders may be negative', pod('ns/a'), { rules: toDrain(-3) }, ['Drain', -3, 'MachineDrainRule all', []]],
  [
    'the greatest order is a valid one',
    pod('ns/a'),
    { rules: toDrain(2_147_483_647) },
    ['Drain', 2_147_483_647, 'MachineDrainRule all', []],
  ],
  [
    'a Drain rule without order is order 0',
    pod('ns/a'),
    { rules: rulesOf(rule('r', { drain: { behavior: 'Drain' } })) },
    ['Drain', 0, 'MachineDrainRule r', []],
  ],
  [
    'a Drain rule whose order is null is order 0',
    pod('ns/a'),
    {
      rules: rulesOf(
        JSON.parse('{"metadata":{"name":"r"},"spec":{"drain":{"behavior":"Drain","order":null}}}'),
      ),
    },
    ['Drain', 0, 'MachineDrainRule r', []],
  ],
  [
    'a volume whose emptyDir is null is none',
    pod('ns/a', { volumes: JSON.parse('[{"name":"scratch","emptyDir":null}]') }),
    {},
    ['Drain', 0, 'default', []],
  ],
  ['a Skip rule skips', bare('ns/a'), { rules: toSkip }, ['Skip', 0, 'MachineDrainRule all', [], 'by-wish']],
  [
    'the order of a WaitCompleted rule is 0',
    pod('ns/a'),
    { rules: toWait },
    ['WaitCompleted', 0, 'MachineDrainRule all', []],
  ],
  [
    'the first matching rule by name decides, not the lowest order',
    pod('ns/a', { labels: { app: 'web' } }),
    {
      rules: rulesOf(
        rule('9-x', { drain: { behavior: 'Drain', order: 1 } }),
        rule('10-x', { drain: { behavior: 'Drain', order: 2 } }),
        rule('0-other', {
          drain: { behavior: 'Skip' },
          pods: [{ selector: { matchLabels: { app: 'db' } } }],
        }),
      ),
    },
    ['Drain', 2, 'MachineDrainRule 10-x', []],
  ],
  [
    'a namespace selector sees the labels of the Pod’s namespace',
    pod('ns/a'),
    {
      rules: rulesOf(
        rule('r', {
          drain: { behavior: 'Skip' },
          pods: [{ namespaceSelector: { matchLabels: { t: '1' } } }],
        }),
      ),
      namespaces: new Map([['ns', { t: '1' }]]),
    },
    ['Skip', 0, 'MachineDrainRule r', [], 'by-wish'],
  ],
])('%s', (_, subject, parts, [behavior, order, decidedBy, warnings, stays]) => {
  const expected = { pod: subject, behavior, order, decidedBy, warnings };
  expect(verdictOn(subject, parts)).toEqual({ ...expected, ...(stays !== undefined && { stays }) });
});

test.each<[string, MachineDrainRule, string]>([
  [
    'an unknown behaviour',
    rule('odd', { drain: { behavior: 'Evict' } }),
    String.raw`failed to get Pods for eviction: Pods with error "MachineDrainRule \"odd\" has unknown spec.drain.behavior: \"Evict\"": ns/a, ns/b`,
  ],
  [
    'a missing behaviour',
    rule('odd', {}),
    String.raw`failed to get Pods for eviction: Pods with error "MachineDrainRule \"odd\" has unknown spec.drain.behavior: \"\"": ns/a, ns/b`,
  ],
  ...[1.5, 2_147_483_648, -2_147_483_649, Number.NaN].map((order): [string, MachineDrainRule, string] => [
    `the order ${order}`,
    rule('odd', { drain: { behavior: 'Drain', order } }),
    String.raw`failed to get Pods for eviction: Pods with error "MachineDrainRule \"odd\" has invalid spec.drain.order: ${JSON.stringify(order)}": ns/a, ns/b`,
  ]),
])('%s of the first matching rule fails its Pods by name', (_, odd, message) => {
  const rules = rulesOf(odd, rule('z-fine', { drain: { behavior: 'Drain' } }));
  expect(judgePods([pod('ns/b'), pod('ns/a')], context({ rules }))).toEqual({
    kind: 'failed',
    failure: { message, rule: 'odd' },
  });
});

test('an unknown behaviour of a rule that is not the first to match harms nobody', () => {
  const rules = rulesOf(
    rule('a', { drain: { behavior: 'Drain' } }),
    rule('b', { drain: { behavior: 'Evict' } }),
  );
  expect(verdictOn(pod('ns/a'), { rules }).decidedBy).toBe('MachineDrainRule a');
});

test('an order is not asked of a rule that does not drain', () => {
  const rules = rulesOf(rule('a', { drain: { behavior: 'Skip', order: 0.5 } }));
  expect(verdictOn(pod('ns/a'), { rules }).behavior).toBe('Skip');
});

test('different errors are all told, each with its Pods', () => {
  const rules = rulesOf(rule('odd', { drain: { behavior: 'Evict' } }));
  const pods = [pod('here/b'), pod('nowhere/c'), pod('here/a')];
  expect(judgePods(pods, context({ rules, namespaces: new Map([['here', {}]]) }))).toEqual({
    kind: 'failed',
    failure: {
      message: String.raw`failed to get Pods for eviction: [Pods with error "MachineDrainRule \"odd\" has unknown spec.drain.behavior: \"Evict\"": here/a, here/b, Pods with error "Pod Namespace does not exist": nowhere/c]`,
      rule: 'odd',
    },
  });
});

test('a namespace that does not exist fails only Pods that come as far as the rules', () => {
  const pods = [pod('gone/a', { annotations: mirror })];
  expect(judgePods(pods, context({ namespaces: new Map() })).kind).toBe('judged');
});

test('what was not read is never taken for absent', () => {
  const asking = rulesOf(
    rule('r', { drain: { behavior: 'Skip' }, pods: [{ namespaceSelector: { matchLabels: { t: '1' } } }] }),
  );
  expect(() => judgePods([pod('ns/a', proxy)], context({ daemonSets: new Map() }))).toThrow(
    new Unavailable('DaemonSet ns/proxy was not looked up'),
  );
  expect(() => judgePods([pod('ns/a')], context({ rules: asking }))).toThrow(
    new Unavailable('the Namespaces that MachineDrainRule r asks for were not read'),
  );
});

test('DaemonSets are looked up once, for unfinished Pods that nothing decides before', () => {
  const pods = [
    pod('ns/a', proxy),
    pod('ns/b', proxy),
    pod('ns/c', { owner: { kind: 'DaemonSet', name: 'finished' }, phase: 'Succeeded' }),
    pod('ns/d', { owner: { kind: 'DaemonSet', name: 'mirrored' }, annotations: mirror }),
    pod('ns/e', { owner: { kind: 'DaemonSet', name: 'terminating' }, ...ago(10) }),
    pod('ns/f'),
    bare('ns/g'),
  ];
  expect(daemonSetsToLookUp(pods, context())).toEqual(['ns/mirrored', 'ns/proxy', 'ns/terminating']);
  expect(daemonSetsToLookUp(pods, context(unreachable))).toEqual(['ns/mirrored', 'ns/proxy']);
});

test('a DaemonSet of another group than apps is looked up only where any group will do', () => {
  const custom = pod('ns/a', {
    owner: { kind: 'DaemonSet', name: 'custom', apiVersion: 'apps.kruise.io/v1' },
  });
  const older = pod('ns/b', { owner: { kind: 'DaemonSet', name: 'older', apiVersion: 'apps/v1beta2' } });
  const pods = [custom, older, pod('ns/c', proxy)];
  expect(daemonSetsToLookUp(pods, context())).toEqual(['ns/custom', 'ns/older', 'ns/proxy']);
  const strict = context({ daemonSetOwners: 'of-apps/v1' });
  expect(daemonSetsToLookUp(pods, strict)).toEqual(['ns/proxy']);
  expect(judgePods(pods, strict)).toMatchObject({
    verdicts: [
      { behavior: 'Drain', decidedBy: 'default', warnings: [] },
      { behavior: 'Drain', decidedBy: 'default', warnings: [] },
      { behavior: 'Skip', decidedBy: 'DaemonSet ns/proxy' },
    ],
  });
});

test.each(['skip', 'wait-completed'])('the label %s says nothing where labels do not count', (value) => {
  const labelled = pod('ns/a', { labels: drainLabel(value) });
  expect(verdictOn(labelled, { labelsCount: false })).toMatchObject({
    behavior: 'Drain',
    decidedBy: 'default',
  });
  expect(rulesMatter([labelled], context({ labelsCount: false }))).toBe(true);
});

test('rules matter only to Pods that nothing decides before', () => {
  const decided = [
    pod('ns/a', proxy),
    pod('ns/b', { annotations: mirror }),
    pod('ns/c', { labels: drainLabel('skip') }),
  ];
  expect(rulesMatter([], context())).toBe(false);
  expect(rulesMatter(decided, context())).toBe(false);
  expect(rulesMatter([...decided, pod('ns/d')], context())).toBe(true);
});

const withSelector = (namespaceSelector: object) =>
  rulesOf(rule('r', { drain: { behavior: 'Skip' }, pods: [{ selector: {} }, { namespaceSelector }] }));

test('namespaces matter only to a namespace selector that asks for something', () => {
  expect(namespacesMatter([])).toBe(false);
  expect(namespacesMatter(toSkip)).toBe(false);
  expect(namespacesMatter(withSelector({}))).toBe(false);
  expect(namespacesMatter(withSelector({ matchLabels: { t: '1' } }))).toBe(true);
});

test('errors are told in byte order, with the first rule that is to blame', () => {
  const rules = rulesOf(rule('odd', { drain: { behavior: 'Evict' } }));
  const namespaces = new Map([['here', {}]]);
  expect(judgePods([pod('nowhere/c'), pod('here/a')], context({ rules, namespaces }))).toEqual({
    kind: 'failed',
    failure: {
      message: String.raw`failed to get Pods for eviction: [Pods with error "MachineDrainRule \"odd\" has unknown spec.drain.behavior: \"Evict\"": here/a, Pods with error "Pod Namespace does not exist": nowhere/c]`,
      rule: 'odd',
    },
  });
});

test('no rule is blamed for a namespace that does not exist', () => {
  expect(judgePods([pod('nowhere/c')], context({ namespaces: new Map() }))).toStrictEqual({
    kind: 'failed',
    failure: {
      message: 'failed to get Pods for eviction: Pods with error "Pod Namespace does not exist": nowhere/c',
    },
  });
});
