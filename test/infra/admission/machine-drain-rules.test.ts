import { describe, expect, it } from 'vitest';
import { machineDrainRules } from '../../../infra/local/kubernetes/crds/installed.ts';
import { ApiError, type Cluster, type KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { installPolicies, readAdmissionPolicies } from '../../../infra/local/load/admission-policies.ts';
import { VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';

const policies = await readAdmissionPolicies();
const drainRules = 'machinedrainrules.cluster.x-k8s.io';

function aCluster({ hasPolicy = true } = {}): Cluster {
  const server = createApiServer({ clock: new VirtualClock(Date.parse('2026-01-02T00:00:00Z')) });
  server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', machineDrainRules());
  if (hasPolicy) installPolicies(server, policies);
  return server.cluster;
}

const aDrainRule = (spec: object): KubeObject => ({
  metadata: { name: 'r', namespace: 'default' },
  spec: { drain: { behavior: 'Drain' }, ...spec },
});

/** Why it was refused, with its code, or `taken`. */
function verdict(run: () => unknown): string {
  try {
    run();
    return 'taken';
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const creation = (spec: object): string => verdict(() => aCluster().create(drainRules, aDrainRule(spec)));

const denied = (why: string): string =>
  `422 machinedrainrules.cluster.x-k8s.io "r" is forbidden: ValidatingAdmissionPolicy 'machine-drain-rules.phaseout.dev' with binding 'machine-drain-rules.phaseout.dev' denied request: ${why}`;

const misplaced = 'order must not be set if drain behavior is "Skip" or "WaitCompleted"';

describe('an order', () => {
  it.each<[object, string]>([
    [{ behavior: 'Drain', order: 5 }, 'taken'],
    [{ behavior: 'Drain', order: -1 }, 'taken'],
    [{ behavior: 'Skip' }, 'taken'],
    [{ behavior: 'WaitCompleted' }, 'taken'],
    [{ behavior: 'Skip', order: 5 }, denied(`spec.drain.order: Invalid value: 5: ${misplaced}`)],
    [{ behavior: 'WaitCompleted', order: 0 }, denied(`spec.drain.order: Invalid value: 0: ${misplaced}`)],
  ])('with %j: %s', (drain, expected) => {
    expect(creation({ drain })).toBe(expected);
  });
});

const name63 = 'n'.repeat(63);
const prefix253 = 'p'.repeat(253);
const wanting = (...matchExpressions: object[]) => ({ matchExpressions });
const having = (key: string, value = 'v') => ({ matchLabels: { [key]: value } });

describe('a selector', () => {
  it.each<[string, object]>([
    ['may be empty', {}],
    ['may name labels with and without a prefix', { matchLabels: { app: 'web', 'example.com/app': '' } }],
    ['may name long labels', { matchLabels: { [`${prefix253}/${name63}`]: name63 } }],
    [
      'may use all operators',
      wanting(
        { key: 'a', operator: 'In', values: ['x', ''] },
        { key: 'a', operator: 'NotIn', values: ['X_y.z-1'] },
        { key: 'a', operator: 'Exists' },
        { key: 'a', operator: 'DoesNotExist', values: [] },
      ),
    ],
  ])('%s', (_, selector) => {
    expect(creation({ pods: [{ selector }] })).toBe('taken');
  });

  it.each<[string, object, string]>([
    [
      'no other operators',
      wanting({ key: 'a', operator: 'Bogus' }),
      '"Bogus" is not a valid label selector operator',
    ],
    [
      'operators as they are written',
      wanting({ key: 'a', operator: 'in', values: ['b'] }),
      '"in" is not a valid label selector operator',
    ],
    ['values for In', wanting({ key: 'a', operator: 'In' }), 'In needs values for the label "a"'],
    [
      'values for NotIn',
      wanting({ key: 'a', operator: 'NotIn', values: [] }),
      'NotIn needs values for the label "a"',
    ],
    [
      'no values for Exists',
      wanting({ key: 'a', operator: 'Exists', values: ['b'] }),
      'Exists takes no values for the label "a"',
    ],
    [
      'no values for DoesNotExist',
      wanting({ key: 'a', operator: 'DoesNotExist', values: [''] }),
      'DoesNotExist takes no values for the label "a"',
    ],
    ['a key', wanting({ key: '', operator: 'Exists' }), '"" is not a valid label key'],
    ['a key without spaces', having('a b'), '"a b" is not a valid label key'],
    ['a key that ends well', having('a-'), '"a-" is not a valid label key'],
    ['one slash at most', having('a/b/c'), '"a/b/c" is not a valid label key'],
    ['a prefix before a slash', having('/a'), '"/a" is not a valid label key'],
    ['a name after a slash', having('a/'), '"a/" is not a valid label key'],
    ['a prefix in lower case', having('A.b/c'), '"A.b/c" is not a valid label key'],
    ['a prefix of a domain', having('a..b/c'), '"a..b/c" is not a valid label key'],
    ['a name of 63 letters', having(`${name63}n`), `"${name63}n" is not a valid label key`],
    ['a prefix of 253 letters', having(`${prefix253}p/n`), `"${prefix253}p/n" is not a valid label key`],
    ['a value of 63 letters', having('a', `${name63}n`), `"${name63}n" is not a valid label value`],
    ['a value without spaces', having('a', 'b c'), '"b c" is not a valid label value'],
    ['a value under any key', having('constructor', '!'), '"!" is not a valid label value'],
    [
      'values that begin well',
      wanting({ key: 'a', operator: 'In', values: ['-b', 'c', '.d'] }),
      '"-b" is not a valid label value, ".d" is not a valid label value',
    ],
    [
      'all of it, and says all',
      { ...wanting({ key: 'a', operator: 'In' }), ...having('b', '!') },
      'In needs values for the label "a", "!" is not a valid label value',
    ],
  ])('wants %s', (_, selector, why) => {
    expect(creation({ pods: [{ selector }] })).toBe(denied(`spec.pods[0].selector: Invalid value: ${why}`));
  });

  it.each([
    'machines[1].selector',
    'machines[1].clusterSelector',
    'pods[1].selector',
    'pods[1].namespaceSelector',
  ])('is judged at %s', (place) => {
    const [list = '', name = ''] = place.split('[1].');
    const entries = [{ selector: having('fine') }, { [name]: having('a b') }];
    const why = `spec.${place}: Invalid value: "a b" is not a valid label key`;
    expect(creation({ [list]: entries })).toBe(denied(why));
  });
});

it('tells of all that is wrong at once', () => {
  const spec = {
    drain: { behavior: 'Skip', order: 1 },
    machines: [{ clusterSelector: wanting({ key: 'a', operator: 'No' }) }],
    pods: [{ selector: {} }, { namespaceSelector: having('a b') }],
  };
  const places = [
    `spec.drain.order: Invalid value: 1: ${misplaced}`,
    'spec.machines[0].clusterSelector: Invalid value: "No" is not a valid label selector operator',
    'spec.pods[1].namespaceSelector: Invalid value: "a b" is not a valid label key',
  ];
  expect(creation(spec)).toBe(denied(`[${places.join(', ')}]`));
});

it('says less of what does not fit into one line', () => {
  expect(creation({ pods: [{ selector: wanting({ key: 'a', operator: 'In\nOut' }) }] })).toBe(
    denied(`spec: Invalid value: ${misplaced}, and selectors must be valid label selectors`),
  );
});

describe('a rule that was wrong before the policy came', () => {
  const wrong = { drain: { behavior: 'Skip', order: 5 } };

  function aClusterWithWrongRule() {
    const cluster = aCluster({ hasPolicy: false });
    const rule = cluster.create(drainRules, aDrainRule(wrong));
    for (const { object } of policies.flatMap(({ concerns, manifests }) =>
      concerns === drainRules ? manifests : [],
    )) {
      const plural = object.kind === 'ValidatingAdmissionPolicy' ? 'policies' : 'policybindings';
      cluster.create(`validatingadmission${plural}.admissionregistration.k8s.io`, object);
    }
    return { change: (changes: object) => verdict(() => cluster.patch(drainRules, rule, changes)) };
  }

  it('can be labelled', () => {
    expect(aClusterWithWrongRule().change({ metadata: { labels: { a: 'b' } } })).toBe('taken');
  });

  it('can be put right', () => {
    expect(aClusterWithWrongRule().change({ spec: { drain: { order: null } } })).toBe('taken');
  });

  it('cannot be changed otherwise', () => {
    expect(aClusterWithWrongRule().change({ spec: { drain: { order: 6 } } })).toBe(
      denied(`spec.drain.order: Invalid value: 6: ${misplaced}`),
    );
  });
});
