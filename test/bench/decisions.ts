import { podsToAttempt } from '../../shared/drain/backoff.ts';
import { judgePods } from '../../shared/drain/classify.ts';
import { drainMessage } from '../../shared/drain/message.ts';
import { planDrain } from '../../shared/drain/plan.ts';
import { readRules } from '../../shared/drain/rules.ts';
import type { MachineDrainRule, Pod } from '../../shared/kubernetes/objects.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

const rules: MachineDrainRule[] = Array.from({ length: 10 }, (_, index) => ({
  metadata: { name: `rule-${index}` },
  spec: {
    drain: { behavior: 'Drain', order: index },
    pods: [{ selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [`app-${index}`] }] } }],
  },
}));

const podsOf = (count: number): Pod[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: {
      name: `pod-${index}`,
      namespace: 'shop',
      uid: `uid-${index}`,
      labels: { app: `app-${index % 12}` },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true },
      ],
    },
    spec: { nodeName: 'node', volumes: [{ name: 'scratch', emptyDir: {} }] },
    status: { phase: 'Running' },
  }));

/** Microseconds per Pod to judge, plan, choose and word a drain, with ten rules; the median of many rounds. */
export function decisionMicrosecondsPerPod(count: number): number {
  const pods = podsOf(count);
  const rounds = Math.max(20, Math.ceil(20_000 / count));
  for (let warmUp = 0; warmUp < rounds; warmUp += 1) decide(pods);
  const times = Array.from({ length: rounds }, () => {
    const start = process.hrtime.bigint();
    decide(pods);
    return Number(process.hrtime.bigint() - start) / 1_000 / count;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function decide(pods: Pod[]): string {
  const { rules: applicable } = readRules(rules, { machineLabels: {}, clusterLabels: {} });
  const context = {
    now,
    unreachable: false,
    daemonSets: new Map(),
    daemonSetOwners: 'of-any-group' as const,
    labelsCount: true,
    rules: applicable,
    namespaces: undefined,
  };
  const judgement = judgePods(pods, context);
  if (judgement.kind === 'failed') throw new Error(judgement.failure.message);
  const records = new Map();
  const plan = planDrain(judgement.verdicts, { records });
  podsToAttempt(plan.evictNow, { records, budgets: new Map(), now });
  return drainMessage({ plan, answers: new Map(), records, startedAt: now });
}
