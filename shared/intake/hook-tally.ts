import { forEachLimited } from '../async/parallel.ts';
import { type DeletionHook, readDeletionHook } from '../hooks/deletion-hook.ts';
import { hookStatusOf } from '../hooks/status.ts';
import { readOr, Unavailable } from '../kubernetes/errors.ts';
import { mayBeSelected } from '../machine/selection.ts';
import { whyNotAsked, whyNotAskedFor } from '../phase/hooks-ahead.ts';
import type { See } from '../read/list-machines.ts';
import { isOurs, readOrNone } from '../read/machine.ts';
import { type ListedOwn, listOwnObjects } from '../read/own-objects.ts';
import { type AskingHooks, askingHooksOf } from '../read/pre-terminate-hooks.ts';
import type { Environment } from '../runtime/environment.ts';
import { saveOwnStatus } from '../write/own-status.ts';
import type { Asked } from './listed.ts';

/** What a sweep sees of the Machines of each DeletionHook, for the status of that. */
export interface HookTally {
  /** A Machine that is there, as it was listed. A list may start again. */
  see: See;
  /** Which of them ask before the end of a server. Undefined where that cannot be told. */
  asking?: AskingHooks;
  /** Writes the status of those whose status is another. */
  write: (asked: readonly Asked[]) => Promise<void>;
}

const none: HookTally = { see: () => undefined, write: async () => undefined };

/** Nothing is read but one list of DeletionHooks, and not that where there is no such kind. Never throws. */
export async function openHookTally(env: Environment): Promise<HookTally> {
  // What is only watched is not written.
  if (env.dialects.every(({ isObserved }) => isObserved === true)) return none;
  const listed = await listedOr(env);
  if (listed === 'unknown') return none;
  const asking = askingHooksOf(listed?.items ?? []);
  const isNone = listed === undefined || listed.items.length === 0;
  return { ...(isNone ? none : tallyOf(env, listed)), asking };
}

async function listedOr(env: Environment): Promise<ListedOwn | undefined | 'unknown'> {
  try {
    return await listOwnObjects(env, 'DeletionHook');
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.warn('DeletionHooks could not be listed', { why: error.message });
    return 'unknown';
  }
}

/** Why nothing is asked for a Machine, or undefined, by its UID. */
type Selected = Map<string, string | undefined>;

function tallyOf(env: Environment, { resource, items }: ListedOwn): HookTally {
  const hooks = items.map((object) => ({
    object,
    hook: readDeletionHook(object),
    selected: new Map() as Selected,
  }));
  const byNamespace = Map.groupBy(hooks, ({ object }) => object.metadata.namespace ?? '');
  return {
    see(dialect, raw) {
      const here = byNamespace.get(raw.metadata.namespace ?? '') ?? [];
      if (here.length === 0 || dialect.isObserved === true) return;
      const machine = readOrNone(dialect, raw);
      if (machine === undefined || !isOurs(env, machine, dialect)) return;
      for (const { hook, selected } of here)
        if (hook !== undefined && mayBeSelected(hook.spec, machine))
          selected.set(machine.ref.uid, whyNotAskedFor(machine, dialect, hook.spec.at));
    },
    async write(asked) {
      const hasKey = asksAnywhere(env) ? await hasHookKey(env) : true;
      if (hasKey === undefined) return;
      const turns = asked.flatMap((each) => each.turns ?? []);
      await forEachLimited(hooks, async ({ object, hook, selected }) => {
        const its = turns.filter((turn) => turn.hook === object.metadata.uid);
        const seen = {
          machines: selected.size,
          ...askingOf(env, hook, selected),
          waiting: its.length,
          heldUp: its.filter(({ isHeldUp }) => isHeldUp).length,
          hasKey,
        };
        const status = { machines: null, ...hookStatusOf(object, seen, env.clock.now()) };
        await saveOwnStatus(env, resource, { kind: 'DeletionHook', object }, status);
      });
    },
  };
}

/** Of a DeletionHook that selects no Machine: whether any API here has a place for it. */
function askingOf({ dialects }: Environment, hook: DeletionHook | undefined, selected: Selected) {
  const known = [...selected.values()];
  const reasons = known.length > 0 || hook === undefined ? known : dialects.map((each) => whyNotAsked(each));
  const asks = reasons.includes(undefined);
  const isOfNone = asks && known.length === 0;
  return { asks, whyNot: isOfNone ? [] : [...new Set(reasons.flatMap((why) => why ?? []))].toSorted() };
}

const asksAnywhere = ({ dialects }: Environment): boolean =>
  dialects.some((dialect) => whyNotAsked(dialect) === undefined);

/** Undefined where nothing tells. */
const hasHookKey = ({ hooks }: Environment): Promise<boolean | undefined> =>
  readOr<boolean, undefined>(undefined, async () => (await hooks?.key()) !== undefined);
