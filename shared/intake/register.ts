import type { Registration } from '../dialects/beside/registration.ts';
import type { Beside, Dialect } from '../dialects/dialect.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import type { Machine } from '../machine/machine.ts';
import { warning } from '../machine/report.ts';
import { writeFailureEvent } from '../provision/event.ts';
import { askedBeforeTheEnd } from '../read/pre-terminate-hooks.ts';
import type { Environment } from '../runtime/environment.ts';
import { changeLiving } from '../write/retry-on-conflict.ts';

type BesideDialect = Dialect & { beside: Beside };

/**
 * Puts our hooks on a living Machine that lacks them: one write in its life. Where others take one off each time that is told,
 * once. The hook before the end of the server goes where no DeletionHook asks for it. Throws WriteRefused, and Unavailable.
 * @param isHeard whether an event alone says how the Machine is
 */
export async function register(
  env: Environment,
  dialect: BesideDialect,
  machine: Machine,
  isHeard = false,
): Promise<void> {
  const isAsked = await isAskedBeforeTheEnd(env, dialect, machine, isHeard);
  const due = (seen: Machine): Registration[] => registrations(dialect, seen, isAsked);
  const first = due(machine);
  for (const each of first)
    if (each.kind === 'given-up')
      await writeFailureEvent(env, dialect, machine, warning('HookTakenOff', `${each.why}: it is left off`));
  const deed = first
    .map((each) => (each.kind === 'due' ? each.deed : undefined))
    .find((each) => each !== undefined);
  if (deed === undefined) return;
  await env.registrations.turn();
  await changeLiving(env, dialect, machine, {
    what: 'the hook',
    deed,
    isHeard,
    patchOf: (seen) => patchFor(due(seen)),
  });
}

/** `isAsked`: undefined where it cannot be told. Then the hook before the end of the server is left as it is. */
function registrations(
  { beside: { register: registration } }: BesideDialect,
  machine: Machine,
  isAsked: boolean | undefined,
): Registration[] {
  const places: [HookPlace, boolean][] = [
    ['PreDrain', true],
    ...(isAsked === undefined ? [] : [['PreTerminate', isAsked] satisfies [HookPlace, boolean]]),
  ];
  return places.map(([place, asked]) => registration(machine, place, asked));
}

/** One patch for all. */
function patchFor(all: readonly Registration[]): { metadata: object; spec?: object } | undefined {
  const due = all.filter((each) => each.kind === 'due');
  if (due.length === 0) return undefined;
  const annotations = Object.assign({}, ...due.map((each) => each.annotations));
  const lists = due.flatMap(({ spec }) => (spec === undefined ? [] : [spec.lifecycleHooks]));
  return {
    metadata: { annotations },
    ...(lists.length > 0 && { spec: { lifecycleHooks: Object.assign({}, ...lists) } }),
  };
}

/**
 * An instance asks once for each Machine that it hears of. What changes later, of labels or DeletionHooks, the next sweep
 * finds.
 */
async function isAskedBeforeTheEnd(
  env: Environment,
  dialect: BesideDialect,
  machine: Machine,
  isHeard: boolean,
): Promise<boolean | undefined> {
  const { uid } = machine.ref;
  if (isHeard && env.cache.notes(uid).isJudged === true) return undefined;
  const asked = await askedBeforeTheEnd(env, machine, dialect);
  if (asked !== undefined) env.cache.note(uid, { isJudged: true });
  return asked?.isAny;
}
