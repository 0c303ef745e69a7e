import { isUnsynced } from '../../drain/unsynced.ts';
import type { Advice, Cause, CauseObject } from '../explanation.ts';
import { describing, machineWords, quoted, showing, within } from '../kubectl.ts';
import type { Seen } from '../seen.ts';

export function onNode({ kubectl, machine }: Seen): Advice[] {
  if (machine.nodeName === undefined) return [];
  const selector = quoted(`spec.nodeName=${machine.nodeName}`);
  return [
    {
      does: 'looks',
      command: `${kubectl.workload} get pods -A --field-selector ${selector} -o wide`,
      why: 'what is on the Node',
    },
  ];
}

export function evictionAdvice(seen: Seen, { code }: Cause): Advice[] {
  if (code === 'AdmissionWebhook') return [...onNode(seen), webhooks(seen)];
  const budgets = `${seen.kubectl.workload} get poddisruptionbudgets.policy -A`;
  return [...onNode(seen), { does: 'looks', command: budgets, why: 'which budgets there are' }];
}

const webhooks = ({ kubectl }: Seen): Advice => ({
  does: 'looks',
  command: `${kubectl.workload} get validatingwebhookconfigurations,mutatingwebhookconfigurations`,
  why: 'which of them has that webhook: its operator knows what it waits for',
});

export function namespaceAdvice({ kubectl }: Seen, { object }: Cause): Advice[] {
  if (object === undefined) return [];
  return [
    { does: 'looks', command: showing(kubectl, object), why: 'what remains in it, by its conditions' },
    {
      does: 'looks',
      command: `${kubectl.workload} get pods${within(object.name)} -o wide`,
      why: 'which of its Pods have finalizers, or do not stop',
    },
  ];
}

export function budgetAdvice(
  { kubectl }: Seen,
  { object, endsByItself, code, numbers = {}, details }: Cause,
): Advice[] {
  if (object === undefined) return [];
  const words = `${quoted(object.name)}${within(object.namespace)}`;
  const looks: Advice[] = [
    {
      does: 'looks',
      command: describing(kubectl, object),
      why: 'its rule, its numbers, and which Pods it selects',
    },
    {
      does: 'looks',
      command: `${kubectl.workload} get pods${within(object.namespace)} -o wide`,
      why: 'which of its Pods are not Ready',
    },
  ];
  const unsynced = details.some(isUnsynced);
  // An operator would put its budget back, and loses data without it.
  if (endsByItself === 'yes' || code === 'BudgetHeldByOperator' || unsynced) return looks;
  const { needs = 0, expects = 0 } = numbers;
  return [
    ...looks,
    {
      does: 'changes',
      command: `${kubectl.workload} edit poddisruptionbudgets.policy ${words}`,
      why: expects > needs ? 'a rule with more room' : 'a rule that lets at least one Pod go',
      costs: 'more of its Pods may be away at once, for as long as the rule is so',
    },
  ];
}

export function podAdvice(seen: Seen, { object, endsByItself, numbers }: Cause): Advice[] {
  const { kubectl } = seen;
  if (object === undefined) return [];
  const looks: Advice = {
    does: 'looks',
    command: describing(kubectl, object),
    why: 'its containers and Events',
  };
  // A Pod with finalizers stays however it is deleted.
  if (endsByItself === 'yes' || numbers === undefined || hasFinalizers(seen, object)) return [looks];
  return [
    looks,
    {
      does: 'destroys',
      command: `${kubectl.workload} delete pods ${quoted(object.name)}${within(object.namespace)} --grace-period=0 --force`,
      why: 'the API forgets the Pod',
      costs:
        'its containers may still run: only where the server is off, or they do no harm. With a volume they can destroy data',
    },
  ];
}

const hasFinalizers = ({ pods }: Seen, { namespace, name }: CauseObject): boolean =>
  pods.some(
    ({ metadata }) =>
      metadata.namespace === namespace && metadata.name === name && (metadata.finalizers ?? []).length > 0,
  );

export function volumeAdvice(seen: Seen, { object, endsByItself }: Cause): Advice[] {
  const { kubectl, machine, dialect } = seen;
  const looks: Advice[] = [
    ...(object === undefined
      ? []
      : [{ does: 'looks', command: showing(kubectl, object), why: 'what its driver says' } as const]),
    ...onNode(seen),
  ];
  if (endsByItself === 'yes' || !dialect.phases.includes('volume-detach')) return looks;
  return [
    ...looks,
    {
      does: 'destroys',
      command: `${kubectl.management} annotate ${machineWords(machine, dialect)} machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach=`,
      why: 'the wait for volumes is given up',
      costs: 'the server is deleted while volumes are attached to it: what is not written yet is lost',
    },
  ];
}

export function nodeAdvice({ kubectl, machine }: Seen, { object }: Cause): Advice[] {
  if (object !== undefined)
    return [{ does: 'looks', command: describing(kubectl, object), why: 'since when, and why' }];
  const columns = quoted(
    'custom-columns=NAME:.metadata.name,ID:.spec.providerID,UNSCHEDULABLE:.spec.unschedulable',
  );
  return [
    {
      does: 'looks',
      command: `${kubectl.workload} get nodes -o ${columns}`,
      why: `which Nodes there are, with their servers${machine.providerId === undefined ? '' : ` (the Machine's is ${machine.providerId})`}`,
    },
  ];
}
