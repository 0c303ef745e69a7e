import { hookKeySecret } from '../../platform/functions/key.ts';
import type { Behaviour, HookSpec, PlayedHook } from '../../platform/functions/played.ts';
import type { Random } from '../../random.ts';
import { listedHook, ourHook, ourName, ourSecondHook } from '../beside.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import type { Plan } from '../planned.ts';
import { isLookedAfter } from './whose.ts';

/** Of the worlds with Machines that functions may be asked about. */
const share = 1 / 3;

const names = ['move-data', 'take-out-osd', 'wipe-disks'];

/** In some worlds Machines wait for functions. All other chance stays as it is. */
export function withFunctions(random: Random, plan: Plan): Plan {
  const there = plan.blueprint.machines.filter((machine) => isAskedAbout(machine, plan));
  if (there.length === 0 || !random.chance(share)) return plan;
  const count = random.between(1, names.length);
  const deletionHooks = names
    .slice(0, count)
    .map((name) => drawHook(random.fork(name), name, random.fork(`Machine of ${name}`).oneOf(there)));
  const { world, blueprint } = plan;
  const ending = deletionHooks.filter(({ spec }) => spec.at === 'PreTerminate');
  const isNear = ({ namespace }: MachineBlueprint): boolean =>
    ending.some((hook) => hook.namespace === namespace);
  const machines = blueprint.machines.map((machine) =>
    isNear(machine) && random.fork(`second hook of ${machine.name}`).chance(0.8)
      ? withSecondHook(machine)
      : machine,
  );
  const config = { ...world.config, hookKey: hookKeySecret };
  return { ...plan, blueprint: { ...blueprint, machines }, world: { ...world, deletionHooks, config } };
}

/** Where phaseout has been there for long, a Machine has it too: some of them for nothing. */
function withSecondHook(machine: MachineBlueprint): MachineBlueprint {
  const { api, annotations, hooks } = machine;
  const isHeld = ourHook in annotations || hooks.some(({ name }) => name === listedHook.name);
  if (!isHeld) return machine;
  const counted = { ...annotations, 'phaseout.dev/registered-pre-terminate': '1' };
  if (api === 'capi') return { ...machine, annotations: { ...counted, [ourSecondHook]: ourName } };
  const second = { ...listedHook, point: 'pre-terminate' as const, leavesAt: undefined };
  return { ...machine, annotations: counted, hooks: [...hooks, second] };
}

/** The original API has no hooks. */
const isAskedAbout = (machine: MachineBlueprint, { world }: Plan): boolean =>
  machine.api !== 'v1alpha1' && machine.deletedAt.length > 0 && isLookedAfter(machine, world.config);

/** Of the namespace of this Machine, and mostly for it. */
function drawHook(random: Random, name: string, machine: MachineBlueprint): PlayedHook {
  const at = random.fork('place').chance(0.4) ? 'PreTerminate' : 'PreDrain';
  const spec: HookSpec = {
    at,
    order: random.oneOf([0, 0, 0, -5, 10]),
    every: random.oneOf(['5s', '5s', '10s', '20s', '30s']),
    silentAfter: random.oneOf(['30s', '1m', '5m']),
    ...drawTimeout(random.fork('timeout')),
    onClusterDeletion: at === 'PreTerminate' && random.chance(0.4) ? 'Hold' : 'Proceed',
    controlPlanes: random.chance(machine.isControlPlane ? 0.8 : 0.4),
    ...drawMachines(random.fork('machines'), machine),
    ...(random.chance(0.3) && { send: { labels: ['pool'] } }),
    ...(random.chance(0.5) && { contact: `#${name}-oncall` }),
  };
  return { namespace: machine.namespace, name, spec, plays: drawBehaviour(random.fork('behaviour')) };
}

/** Most end between two calls: the last one has its time for an answer then. */
const drawTimeout = (random: Random): Pick<HookSpec, 'timeout' | 'onTimeout'> =>
  random.chance(0.5)
    ? {
        timeout: random.oneOf(['33s', '33s', '47s', '1m3s', '2m']),
        onTimeout: random.oneOf(['Hold', 'Proceed', 'Proceed']),
      }
    : {};

function drawMachines(random: Random, { labels, host }: MachineBlueprint): Pick<HookSpec, 'machines'> {
  const kind = random.oneOf(['all', 'all', 'all', 'pool', 'others', 'site']);
  const { pool = 'a' } = labels;
  if (kind === 'pool') return { machines: [{ selector: { matchLabels: { pool } } }] };
  if (kind === 'site') return { machines: [{ clusterSelector: { matchLabels: { site: host } } }] };
  if (kind === 'others')
    return { machines: [{ selector: { matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] } }] };
  return {};
}

const kinds = [
  'prompt',
  'prompt',
  'slow',
  'slow',
  'slow',
  'fails',
  'late',
  'stuck',
  'broken',
  'mute',
] as const;

/** The last three never end. */
function drawBehaviour(random: Random): Behaviour {
  const kind = random.oneOf(kinds);
  const calls = random.oneOf([1, 1, 2, 3]);
  const asksForTime = random.fork('asks for time').chance(0.3) && {
    retryAfter: random.oneOf([1, 7, 20, 45]),
  };
  if (kind === 'prompt') return { until: undefined, calls: 0 };
  if (kind === 'slow') return { until: 'Working', calls, ...asksForTime };
  if (kind === 'fails') return { until: 'Failed', calls, ...asksForTime };
  if (kind === 'late') return { until: undefined, calls };
  if (kind === 'stuck') return { until: 'Working', calls: undefined, ...asksForTime };
  return { until: kind === 'broken' ? 'Failed' : undefined, calls: undefined };
}
