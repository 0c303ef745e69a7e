import type { Random } from '../../random.ts';
import type { HookBlueprint, HookPoint, MachineBlueprint } from '../blueprint.ts';
import type { Setting } from './draft.ts';

export const promptOwner = 'local-hook-owner';
const nobody = 'nobody/left-the-company';

const names = ['backup', 'load-balancer', 'inventory'];
/** Cluster API asks for no slash. */
const endings = ['/', '/', '/', '-custom/'];

/** The key of an annotation, or the name in a list. */
export const hookName = (
  api: MachineBlueprint['api'],
  point: HookPoint,
  name: string,
  ending = '/',
): string =>
  api === 'capi' ? `${point}.delete.hook.machine.cluster.x-k8s.io${ending}${name}` : `${name}-${point}`;

/** Hooks of both points, some of owners that never take them off. */
export function drawHooks(random: Random, api: MachineBlueprint['api'], setting: Setting): HookBlueprint[] {
  if (api === 'v1alpha1') return [];
  return (['pre-drain', 'pre-terminate'] as const).flatMap((point) => {
    const chosen = random.chance(0.2) ? random.some(names, 0.5) : [];
    return chosen.map((name) => {
      const ending = random.oneOf(endings);
      const hook = { point, name: hookName(api, point, name, ending), ...drawOwner(random, setting) };
      // It holds whatever its annotation says.
      const isUnsigned = api === 'capi' && hook.owner === nobody && random.fork(hook.name).chance(0.5);
      return isUnsigned ? { ...hook, owner: '' } : hook;
    });
  });
}

function drawOwner(random: Random, { version, latest }: Setting): Pick<HookBlueprint, 'owner' | 'leavesAt'> {
  const kind = random.oneOf(['prompt', 'prompt', 'slow', 'slow', 'never']);
  // The prompt one reads conditions where v1beta2 has them.
  if (kind === 'prompt' && version === undefined) return { owner: promptOwner, leavesAt: undefined };
  if (kind === 'never') return { owner: nobody, leavesAt: undefined };
  return { owner: 'somebody/slow', leavesAt: random.between(2_000, latest + 8_000) };
}
