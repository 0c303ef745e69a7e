import { clusterApi } from '../../dialects/capi/index.ts';
import { textAt } from '../../dialects/fields.ts';
import { helpText } from '../../hooks/words.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Instant } from '../../time/clock.ts';
import { isLong, lastingSince } from '../lasting.ts';
import type { HookRow, HookWarning } from './hook-report.ts';
import { type Bearer, hooksOn, unmatchedKeys } from './listed-hooks.ts';
import { labelOfTemplate, machineGroupOf, makerOf, type Template, templateBearer } from './templates.ts';

/** Hooks that were meant and are none. */
export const unmatchedWarnings = (object: string, bearer: Bearer, group: string): HookWarning[] =>
  unmatchedKeys(bearer, group).map((hook) => ({
    kind: 'unmatched-key',
    object,
    hook,
    message: `no controller of ${group} takes this key for a hook: it holds nothing`,
  }));

/**
 * Of Cluster API: what they put on a living Machine comes back when it is taken off. A MachineSet that a MachineDeployment makes
 * only repeats what that says.
 */
export function templateWarnings(templates: readonly Template[]): HookWarning[] {
  return templates.flatMap((template) => {
    const group = machineGroupOf(template);
    const object = labelOfTemplate(template);
    const bearer = templateBearer(template);
    if (makerOf(template.object, templates) !== undefined) return [];
    const carried = group === clusterApi.group ? hooksOn(bearer, group) : [];
    return [
      ...unmatchedWarnings(object, bearer, group),
      ...carried.map(
        ({ hook }): HookWarning => ({
          kind: 'in-template',
          object,
          hook,
          message:
            'a hook in a template of Cluster API comes back when it is taken off a living Machine, and stands on ' +
            'infrastructure and bootstrap objects too: put it on the Machines instead',
        }),
      ),
    ];
  });
}

/** Hooks that have held for long without any Event of their owner on the Machine. */
export function silentWarnings(
  rows: readonly HookRow[],
  events: readonly KubeObject[],
  now: Instant,
): HookWarning[] {
  const byMachine = Map.groupBy(events, (event) => textAt(event, 'involvedObject', 'uid') ?? '');
  return rows.flatMap((row): HookWarning[] => {
    const { machine, holding, hook } = row;
    if (holding.kind !== 'holds' || !isSilent(holding.since, row, now)) return [];
    if (byMachine.get(machine.uid)?.some((event) => isOfOwner(event, row)) === true) return [];
    const lasting = `${holding.isAtMost ? 'at most ' : ''}${lastingSince(holding.since, now)}`;
    return [
      {
        kind: 'silent-owner',
        object: `Machine ${machine.namespace}/${machine.name}`,
        hook,
        message: `it has held for ${lasting}, without any Event of ${nameOfOwner(row)} on the Machine: does that run?${helpOf(row)}`,
      },
    ];
  });
}

/** A DeletionHook that describes the hook says after how long. */
const isSilent = (since: string, { described }: HookRow, now: Instant): boolean =>
  described === undefined
    ? isLong(since, now)
    : now - Date.parse(since) > described.silentAfterSeconds * 1_000;

/** Who can help, and where it says how. */
function helpOf({ described }: HookRow): string {
  const help = helpText(described ?? {});
  return help.length === 0 ? '' : ` (${help.join('; ')})`;
}

const nameOfOwner = ({ owner, set }: HookRow): string =>
  owner ?? set?.manager ?? 'its owner, which is unknown';

/**
 * Whether a name that the Event gives is one that the hook gives: in full, or a part of it. Owners are free text, and components
 * have names of their own.
 */
function isOfOwner(event: KubeObject, { owner, set, hook }: HookRow): boolean {
  const components = [textAt(event, 'source', 'component'), textAt(event, 'reportingComponent')].map(wordsOf);
  const wanted = [owner, set?.manager, hook.slice(hook.indexOf('/') + 1)].map(wordsOf);
  return components.some((one) => wanted.some((other) => isPart(one, other) || isPart(other, one)));
}

const wordsOf = (name = ''): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** As whole words. */
const isPart = (part: string, whole: string): boolean => part !== '' && `-${whole}-`.includes(`-${part}-`);
