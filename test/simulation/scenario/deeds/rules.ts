import { resources } from '../../../stories/stage/fleet.ts';
import type { Fault, FaultSetting } from '../../faults/fault.ts';
import { isBeside } from '../beside.ts';
import { aMachineOf, deed, nameOf, oneOf, type Target } from './deed.ts';

const noSuchOperator = { matchExpressions: [{ key: 'tier', operator: 'Nope', values: ['front'] }] };
const everyPod = [{ selector: {} }];

const specs: readonly object[] = [
  { drain: { behavior: 'Skip' }, pods: [{ selector: { matchLabels: { tier: 'back' } } }] },
  { drain: { behavior: 'Drain', order: -5 }, pods: [{ selector: { matchLabels: { tier: 'back' } } }] },
  { drain: { behavior: 'Drain', order: 2_147_483_647 }, pods: everyPod },
  { drain: { behavior: 'Drain' }, machines: [{ selector: { matchLabels: { pool: 'a' } } }] },
  { drain: { behavior: 'WaitCompleted' }, pods: [{ selector: { matchLabels: { role: 'batch' } } }] },
  { drain: { behavior: 'Skip' }, pods: [{ namespaceSelector: { matchLabels: { team: 'bank' } } }] },
];

/** In the namespace of a Machine whose API looks at rules. */
function makeRule(setting: FaultSetting, spec: object): string | undefined {
  const { world, random } = setting;
  // The stand-in for Cluster API's own controller knows none.
  const isIgnored = ({ plan }: Target): boolean =>
    plan.api === 'v1alpha1' || (plan.api === 'capi' && isBeside(world, plan));
  const namespace = aMachineOf(setting, (one) => !isIgnored(one))?.plan.namespace;
  if (namespace === undefined) return undefined;
  const [version = ''] = world.management.versions(resources.rules);
  const name = `${random.oneOf(['0', 'm', 'z'])}-rule-${random.between(1, 1_000_000)}`;
  const metadata = { namespace, name };
  const apiVersion = `cluster.x-k8s.io/${version}`;
  world.management.create(resources.rules, { apiVersion, kind: 'MachineDrainRule', metadata, spec });
  return `makes the MachineDrainRule ${namespace}/${name}: ${JSON.stringify(spec)}`;
}

const aRuleOf = ({ world, random }: FaultSetting) => oneOf(random, world.management.list(resources.rules));

/** What users do with MachineDrainRules. */
export const ruleDeeds: readonly Fault[] = [
  deed({
    name: 'rules-added',
    about: 'MachineDrainRules are made.',
    run: (setting) => makeRule(setting, setting.random.oneOf(specs)),
  }),
  deed({
    name: 'rules-edited',
    about: 'MachineDrainRules are changed or taken away.',
    most: 3,
    run(setting) {
      const { world, random } = setting;
      const rule = aRuleOf(setting);
      if (rule === undefined) return undefined;
      if (random.chance(0.4)) {
        world.management.remove(resources.rules, rule);
        return `takes the MachineDrainRule ${nameOf(rule)} away`;
      }
      const drain = random.oneOf([
        { behavior: 'Skip', order: null },
        { behavior: 'Drain', order: 7 },
        { behavior: 'Drain', order: null },
      ]);
      world.management.patch(resources.rules, rule, { spec: { drain } });
      return `changes the MachineDrainRule ${nameOf(rule)}: ${JSON.stringify(drain)}`;
    },
  }),
  deed({
    name: 'rule-invalid',
    about: 'A MachineDrainRule has a selector that makes no sense.',
    most: 1,
    run(setting) {
      const isOfMachines = setting.random.chance(0.3);
      const broken = [{ selector: noSuchOperator }];
      const spec = {
        drain: { behavior: 'Skip' },
        ...(isOfMachines ? { machines: broken } : { pods: broken }),
      };
      return makeRule(setting, spec);
    },
  }),
];
