import { forEachLimited } from '../../../shared/async/parallel.ts';
import { hasHook, listOf } from '../../../shared/dialects/beside/hook.ts';
import { isRuledByOpenShift } from '../../../shared/dialects/capi/annotations.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { type HookedApi, hookedApis, listHooked } from '../../hook/hooked-apis.ts';
import { type Hooked, namesOn, releaseHook, ruledElsewhere } from '../../hook/take-off.ts';
import type { Beside } from '../../knative/beside.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted, printable } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';
import { pause } from '../run/until-gone.ts';

/** An API server may not know yet that the policy is gone. By then it has put on its last hook. */
const pauseMilliseconds = 10_000;
const maxRounds = 6;
const maxAtOnce = 8;

/** Machines that keep the hook, with the reason. */
type Kept = ReadonlyMap<string, string>;

/**
 * Takes the hooks of an installation off all Machines, until two lists in a row show none. They are not marked as
 * released: phaseout may be installed again. Throws CannotDo with those that keep it, and Unavailable where Machines
 * cannot be listed.
 */
export async function takeHooksOff(
  site: Site,
  { apis, installation }: Beside,
  how: TakingOff,
): Promise<void> {
  for (const api of await hookedApis(site.kubernetes, installation)) {
    // Where nothing was ever hooked, one list is enough.
    await takeOffThose(site, api, how, apis.includes(api.name) ? 2 : 1);
  }
}

/**
 * Throws CannotDo with the Machines that would take along a Node which is not proven to be theirs. Throws Unavailable
 * where Machines cannot be listed.
 */
export async function refuseOthersNodes(
  site: Site,
  { installation }: Pick<Beside, 'installation'>,
  how: TakingOff,
): Promise<void> {
  if (how.letsGoOfOthersNodes) return;
  const lines: string[] = [];
  for (const api of await hookedApis(site.kubernetes, installation)) {
    const ours = (await leftOf(site, api, how)).filter(isRuledHere);
    const held = await forEachLimited(
      ours,
      async (machine) => ({ machine, why: await site.othersNode(machine, api.resource) }),
      maxAtOnce,
    );
    for (const { machine, why } of held)
      if (why !== undefined)
        lines.push(`  ${machine.metadata.namespace}/${machine.metadata.name}: ${printable(why)}`);
  }
  if (lines.length === 0) return;
  const who = counted(lines.length, 'Machine would', 'Machines would');
  const what = `${who} take a Node along that is not known to be its own (--let-go-of-others-nodes lets them):`;
  throw new CannotDo([what, ...lines].join('\n'));
}

export interface TakingOff {
  /** Whether a Machine is looked after no more; all of them if absent. */
  isLeft?: (machine: KubeObject, dialect: Dialect) => boolean;
  /** Also of Machines that would take a Node along which is not proven to be theirs. */
  letsGoOfOthersNodes: boolean;
}

/** The Machines with a hook of ours that are looked after no more. */
async function leftOf(
  { kubernetes }: Site,
  { resource, hooks, dialect }: HookedApi,
  { isLeft = () => true }: TakingOff,
): Promise<KubeObject[]> {
  const hooked = await listHooked(kubernetes, { resource, hooks });
  const isOurs = (machine: KubeObject): boolean => listOf(hooks).some((hook) => hasHook(machine, hook));
  return hooked.filter((machine) => isOurs(machine) && isLeft(machine, dialect));
}

/** Where another API rules a Machine, the hook of that API's Machine counts. */
const isRuledHere = (machine: KubeObject): boolean => ruledElsewhere(machine) === undefined;

async function takeOffThose(site: Site, api: HookedApi, how: TakingOff, fewestLists: number): Promise<void> {
  const { kubernetes, clock, interrupted } = site;
  const { resource } = api;
  const hooks = listOf(api.hooks);
  const hooked: Hooked = { kubernetes, resource, hooks, marksLiving: false };
  let kept: Kept = new Map();
  let lists = fewestLists;
  for (let round = 0; round < maxRounds && !interrupted.aborted; round += 1) {
    const all = await leftOf(site, api, how);
    const machines = all.filter(isRuledHere);
    if (machines.length > 0) lists = 2;
    else lists -= 1;
    if (lists === 0) return tellCopies(site, hooks, all.filter(isRuledByOpenShift));
    kept = await takeOffAll(site, hooked, machines, how.letsGoOfOthersNodes);
    await pause(pauseMilliseconds, clock, interrupted);
  }
  if (!interrupted.aborted) throw notTakenOff(api.hooks.PreDrain.name, kept);
}

/** Nothing waits for the hook there while OpenShift's own Machine rules; it counts again once the authority moves. */
function tellCopies({ tell }: Site, hooks: Hooked['hooks'], copies: readonly KubeObject[]): void {
  const [first] = copies;
  if (first === undefined) return;
  const who = counted(copies.length, 'Machine keeps', 'Machines keep');
  const { namespace, name } = first.metadata;
  const why = ruledElsewhere(first) ?? '';
  tell({ event: 'warning', text: `${who} ${namesOn(first, hooks)}, such as ${namespace}/${name}: ${why}` });
}

async function takeOffAll(
  { tell, interrupted, othersNode }: Site,
  hooked: Hooked,
  machines: readonly KubeObject[],
  letsGoOfOthersNodes: boolean,
): Promise<Kept> {
  const kept = new Map<string, string>();
  await forEachLimited(
    machines,
    async (machine) => {
      if (interrupted.aborted) return;
      const label = `${machine.metadata.namespace}/${machine.metadata.name}`;
      const held = letsGoOfOthersNodes ? undefined : await othersNode(machine, hooked.resource);
      if (held !== undefined) {
        kept.set(label, printable(held));
        return;
      }
      const outcome = await releaseHook(hooked, machine);
      if (outcome.kind === 'failed') kept.set(label, printable(outcome.why));
      else if (outcome.kind === 'released')
        tell({ event: 'object', change: 'released', object: `Machine ${label}` });
    },
    maxAtOnce,
  );
  return kept;
}

function notTakenOff(hook: string, kept: Kept): CannotDo {
  if (kept.size === 0) return new CannotDo(`Machines get ${hook} again and again: does phaseout still run?`);
  const lines = [...kept].map(([machine, why]) => `  ${machine}: ${why}`);
  const who = counted(kept.size, 'Machine keeps', 'Machines keep');
  return new CannotDo([`${who} ${hook}, and would wait for it:`, ...lines].join('\n'));
}
