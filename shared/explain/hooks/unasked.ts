import { shownDialect } from '../../assess/shown-dialect.ts';
import { stageOf } from '../../assess/stage.ts';
import { type Dialect, MachineUnreadable } from '../../dialects/dialect.ts';
import { readDeletionHook } from '../../hooks/deletion-hook.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { isDeleting, type Machine } from '../../machine/machine.ts';
import { mayBeSelected } from '../../machine/selection.ts';
import { whyNotAskedFor } from '../../phase/hooks-ahead.ts';
import { listOf } from '../../text/truncate.ts';
import type { Instant } from '../../time/clock.ts';
import type { HookWarning } from './hook-report.ts';

/** What was listed, and the Machine APIs as they are configured. */
interface Listed {
  machines: readonly KubeObject[];
  deletionHooks: readonly KubeObject[];
  dialects?: readonly Dialect[] | undefined;
  now: Instant;
}

/** DeletionHooks that ask nothing for Machines that they select, each with the reason and the Machines. */
export function unaskedWarnings({ machines, deletionHooks, dialects, now }: Listed): HookWarning[] {
  if (deletionHooks.length === 0) return [];
  const known = machines.flatMap((raw) => knownOf(raw, dialects, now) ?? []);
  return deletionHooks.flatMap((object) => {
    const unasked = known.flatMap((each) => unaskedBy(object, each) ?? []);
    return [...Map.groupBy(unasked, ({ why }) => why)].map(([why, those]) => warningOf(object, why, those));
  });
}

interface Known {
  machine: Machine;
  dialect: Dialect;
}

/** With the controller that carries its deletion on. */
function knownOf(raw: KubeObject, dialects: Listed['dialects'], now: Instant): Known | undefined {
  const dialect = shownDialect(raw, dialects);
  if (dialect === undefined) return undefined;
  try {
    const machine = dialect.read(raw);
    // On its way to our hook before the end of the server it is still ours.
    const isHeld = dialect.beside !== undefined && dialect.hold.isOn(machine);
    const isTheirs = !isHeld && isDeleting(machine) && stageOf(machine, dialect, now).by === 'controller';
    return { machine, dialect: isTheirs ? { ...dialect, isObserved: true } : dialect };
  } catch (error) {
    if (!(error instanceof MachineUnreadable)) throw error;
    return undefined;
  }
}

interface Unasked {
  name: string;
  why: string;
}

function unaskedBy(object: KubeObject, { machine, dialect }: Known): Unasked | undefined {
  const hook = readDeletionHook(object);
  const { namespace, name } = machine.ref;
  if (hook === undefined || hook.spec.setBy === 'Others' || namespace !== object.metadata.namespace)
    return undefined;
  const why = whyNotAskedFor(machine, dialect, hook.spec.at);
  return why === undefined || !mayBeSelected(hook.spec, machine) ? undefined : { name, why };
}

const warningOf = ({ metadata }: KubeObject, why: string, those: readonly Unasked[]): HookWarning => ({
  kind: 'asks-nothing',
  object: `DeletionHook ${metadata.namespace ?? ''}/${metadata.name}`,
  hook: '',
  message: `nothing is asked for ${listOf(
    those.map(({ name }) => name),
    3,
  )}: ${why}`,
});
