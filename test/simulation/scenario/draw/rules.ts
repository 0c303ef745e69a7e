import type { Random } from '../../random.ts';
import type { Draft, Site } from './draft.ts';

const labelled = (matchLabels: Record<string, string>) => ({ selector: { matchLabels } });

/** What each says of Pods, by name: of several that match the first one decides. */
const rules: Readonly<Record<string, object>> = {
  'back-last': { drain: { behavior: 'Drain', order: 10 }, pods: [labelled({ tier: 'back' })] },
  'batch-completes': { drain: { behavior: 'WaitCompleted' }, pods: [labelled({ role: 'batch' })] },
  'front-first': { drain: { behavior: 'Drain', order: -10 }, pods: [labelled({ tier: 'front' })] },
  'monitors-stay': { drain: { behavior: 'Skip' }, pods: [labelled({ role: 'monitor' })] },
  'the-bank-last': {
    drain: { behavior: 'Drain', order: 20 },
    pods: [{ namespaceSelector: { matchLabels: { team: 'bank' } } }],
  },
  '00-exception': {
    drain: { behavior: 'Skip' },
    pods: [{ selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] } }],
  },
};

/** Rules of a namespace; some are for other Machines. */
export function drawRules(draft: Draft, { api, namespace, host }: Site, random: Random): void {
  if (api === 'v1alpha1' || !random.chance(0.5)) return;
  if (draft.rules.some((rule) => rule.namespace === namespace)) return;
  for (const [name, spec] of Object.entries(rules)) {
    const share = name === '00-exception' ? 0.1 : 0.7;
    if (random.chance(share))
      draft.rules.push({ namespace, name, spec: { ...spec, ...drawMachines(random, host) } });
  }
}

function drawMachines(random: Random, host: string): object {
  const kind = random.oneOf(['all', 'all', 'all', 'pool', 'site', 'others']);
  if (kind === 'pool') return { machines: [labelled({ pool: 'a' })] };
  if (kind === 'site') {
    // A fork leaves all other chance as it is.
    const site = random.fork('which site').chance(0.5) ? 'elsewhere' : host;
    return { machines: [{ clusterSelector: { matchLabels: { site } } }] };
  }
  if (kind === 'others')
    return { machines: [{ selector: { matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] } }] };
  return {};
}
