import type { Advice, Cause } from '../explanation.ts';
import { describing, machineWords, quoted, within } from '../kubectl.ts';
import type { Seen } from '../seen.ts';

export const lookAtMachine = ({ kubectl, machine, dialect }: Seen): Advice => ({
  does: 'looks',
  command: `${kubectl.management} describe ${machineWords(machine, dialect)}`,
  why: 'its conditions and Events',
});

/** Who has begun and what is selected, by the policies of the namespace. */
export const policyAdvice = ({ kubectl, machine }: Seen): Advice[] => [
  {
    does: 'looks',
    command: `${kubectl.management} get drainpolicies.phaseout.dev${within(machine.ref.namespace)} -o yaml`,
    why: 'who has begun and since when, and when the next window opens',
  },
];

export function pauseAdvice(seen: Seen, { code }: Cause): Advice[] {
  const { kubectl, machine, dialect } = seen;
  const { namespace } = machine.ref;
  const annotation: Advice = {
    does: 'changes',
    command: `${kubectl.management} annotate ${machineWords(machine, dialect)} cluster.x-k8s.io/paused-`,
    why: 'the Machine goes on',
    costs: 'somebody has paused it for a reason',
  };
  const isAnnotated = 'cluster.x-k8s.io/paused' in machine.annotations;
  if (machine.clusterName === undefined || dialect.group !== 'cluster.x-k8s.io') return [lookAtMachine(seen)];
  const cluster = `clusters.cluster.x-k8s.io ${quoted(machine.clusterName)}${within(namespace)}`;
  const looks: Advice[] = [
    lookAtMachine(seen),
    {
      does: 'looks',
      command: `${kubectl.management} get ${cluster} -o yaml`,
      why: 'whether spec.paused is set, and by whom',
    },
  ];
  // Unpaused, its server would be deleted, which its copy elsewhere has.
  if (code === 'Moved') return looks;
  return [
    ...looks,
    ...(isAnnotated
      ? [annotation]
      : [
          {
            does: 'changes',
            command: `${kubectl.management} patch ${cluster} --type merge -p '{"spec":{"paused":false}}'`,
            why: 'all Machines of the Cluster go on',
            costs: 'a clusterctl move, a restore or a person has paused it: what they began may not be over',
          } as const,
        ]),
  ];
}

export function referredAdvice(seen: Seen, { object, endsByItself }: Cause): Advice[] {
  if (object === undefined) return [lookAtMachine(seen)];
  const looks: Advice = {
    does: 'looks',
    command: describing(seen.kubectl, object),
    why: 'its conditions and Events',
  };
  if (endsByItself === 'yes') return [looks];
  return [
    looks,
    {
      does: 'looks',
      command: `${seen.kubectl.management} get pods -A -l control-plane=controller-manager`,
      why: 'whether its provider runs; then its log',
    },
  ];
}
