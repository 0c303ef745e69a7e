import type { HookPoint } from '../../dialects/dialect.ts';
import { recordAt, textAt } from '../../dialects/fields.ts';
import type { Advice, Cause } from '../explanation.ts';
import { machineWords, quoted } from '../kubectl.ts';
import type { Seen } from '../seen.ts';

/** Its owner comes first. To take it off by hand gets round what the owner wants to finish. */
export function hookAdvice(seen: Seen, { phase, hook: name, owner = 'unknown' }: Cause): Advice[] {
  const { kubectl, machine, dialect, plan } = seen;
  const words = machineWords(machine, dialect);
  const hook = plan.hooks.find((each) => each.point === phase && each.name === name);
  if (hook === undefined) return [];
  const takesOff = `${kubectl.management} ${removal(seen, hook.point, hook.name, words)}`;
  return [
    {
      does: 'looks',
      command: `${kubectl.management} describe ${words}`,
      why: `its Events: does ${owner} say what it waits for?`,
    },
    {
      does: 'looks',
      command: `${kubectl.management} get pods -A -o wide`,
      why: `whether the controller of ${owner} runs; then its log`,
    },
    {
      does: 'destroys',
      command: takesOff,
      why: 'the deletion goes on without its owner',
      costs: `what ${owner} wanted to finish first is not finished: it may have to be cleaned up by hand, or data is lost`,
    },
  ];
}

function removal({ machine, dialect }: Seen, point: HookPoint, name: string, words: string): string {
  if (dialect.group === 'cluster.x-k8s.io') return `annotate ${words} ${quoted(`${name}-`)}`;
  const list = point === 'pre-drain' ? 'preDrain' : 'preTerminate';
  const path = `/spec/lifecycleHooks/${list}/${hookIndex(machine.raw, list, name)}`;
  const patch = [
    { op: 'test', path: `${path}/name`, value: name },
    { op: 'remove', path },
  ];
  return `patch ${words} --type json -p ${quoted(JSON.stringify(patch))}`;
}

/** Its place in the list as the spec has it. */
function hookIndex(raw: Seen['machine']['raw'], list: string, name: string): number {
  const all = recordAt(raw, 'spec', 'lifecycleHooks')[list];
  return Array.isArray(all) ? all.findIndex((each) => textAt(each, 'name') === name) : 0;
}

/** Our own hook has its own way out. */
export function ownHookAdvice(seen: Seen, { owner, endsByItself }: Cause): Advice[] {
  const { kubectl, machine, dialect } = seen;
  const look: Advice = {
    does: 'looks',
    command: `${kubectl.management} describe ${machineWords(machine, dialect)}`,
    why: 'its conditions and Events',
  };
  if (owner !== 'phaseout.dev') return [look];
  const name = `${machine.ref.namespace}/${machine.ref.name}`;
  const pods: Advice = {
    does: 'looks',
    command: `${kubectl.management} get pods -A -l app.kubernetes.io/name=phaseout`,
    why: 'whether phaseout runs; scaled to zero it has none for a while',
  };
  if (endsByItself === 'yes') return [look, pods];
  return [
    look,
    pods,
    {
      does: 'changes',
      command: `phaseout release ${quoted(name)}`,
      why: 'takes the hook of phaseout off',
      costs: "the API's own controller drains the Node, by its own rules",
    },
  ];
}
