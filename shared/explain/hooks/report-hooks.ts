import { shownDialect } from '../../assess/shown-dialect.ts';
import { type Dialect, MachineUnreadable } from '../../dialects/dialect.ts';
import { describedBy } from '../../hooks/described.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { placeOf, shortHook } from '../../machine/hook-call.ts';
import type { Machine } from '../../machine/machine.ts';
import { compareBytes } from '../../text/byte-order.ts';
import type { Instant } from '../../time/clock.ts';
import { keyOwner } from '../key-owner.ts';
import { functionsAsked } from './functions.ts';
import { holdingOf } from './holding.ts';
import type { HookReport, HookRow, HookWarning } from './hook-report.ts';
import { bearerOf, hooksOn, type ListedHook } from './listed-hooks.ts';
import { carrierOf, labelOfTemplate, type Template } from './templates.ts';
import { unaskedWarnings } from './unasked.ts';
import { silentWarnings, templateWarnings, unmatchedWarnings } from './warnings.ts';

/** What was listed. */
export interface ListedForHooks {
  /** Of all Machine APIs. */
  machines: readonly KubeObject[];
  templates: readonly Template[];
  /** Of Machines; undefined where they could not be read. */
  events: readonly KubeObject[] | undefined;
  /** DeletionHooks, some of them about hooks of others; undefined where they could not be read. */
  deletionHooks?: readonly KubeObject[] | undefined;
  /** The Machine APIs as they are configured. */
  dialects?: readonly Dialect[];
  now: Instant;
}

/** Every hook on every Machine: those that hold longest come first. */
export function reportHooks({ machines, events, ...listed }: ListedForHooks): HookReport {
  const { templates, now, deletionHooks = [], dialects } = listed;
  const reports = machines.map((raw) => ofMachine(raw, { templates, now, deletionHooks }));
  const rows = reports.flatMap((one) => one.rows).toSorted((one, other) => compareRows(one, other));
  const functions = reports.flatMap((one) => one.functions ?? []);
  return {
    rows,
    ...(functions.length > 0 && { functions }),
    warnings: [
      ...(events === undefined ? [] : silentWarnings(rows, events, now)),
      ...unaskedWarnings({ machines, deletionHooks, dialects, now }),
      ...reports.flatMap((one) => one.warnings),
      ...templateWarnings(templates),
    ],
  };
}

function ofMachine(raw: KubeObject, listed: Omit<About, 'machine' | 'dialect'>): HookReport {
  const dialect = shownDialect(raw);
  if (dialect === undefined) return { rows: [], warnings: [] };
  const object = `Machine ${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
  const warnings = unmatchedWarnings(object, bearerOf(raw), dialect.group);
  try {
    const machine = dialect.read(raw);
    const hooks = hooksOn(bearerOf(raw), dialect.group);
    return {
      rows: hooks.map((hook) => rowOf({ ...listed, machine, dialect }, hook)),
      functions: functionsAsked(machine, listed.now),
      warnings,
    };
  } catch (error) {
    if (!(error instanceof MachineUnreadable)) throw error;
    return { rows: [], warnings: [...warnings, unreadable(object, error)] };
  }
}

const unreadable = (object: string, { message }: Error): HookWarning => ({
  kind: 'unreadable',
  object,
  hook: '',
  message: `its hooks are unknown: ${message}`,
});

interface About {
  machine: Machine;
  dialect: Dialect;
  templates: readonly Template[];
  deletionHooks: readonly KubeObject[];
  now: Instant;
}

function rowOf({ machine, dialect, templates, deletionHooks, now }: About, hook: ListedHook): HookRow {
  const set = keyOwner(machine.raw, hook.hook);
  const template = carrierOf(machine.raw, hook, templates);
  const place = placeOf[hook.point];
  const described = describedBy(deletionHooks, {
    namespace: machine.ref.namespace,
    place,
    name: shortHook(hook.hook),
    machine,
  });
  return {
    machine: machine.ref,
    ...hook,
    holding: holdingOf(machine, dialect, hook, now),
    ...(set !== undefined && { set }),
    ...(described !== undefined && { described }),
    ...(template !== undefined && { template: labelOfTemplate(template) }),
  };
}

const ranks = { holds: 0, no: 1, living: 2 } as const;

function compareRows(one: HookRow, other: HookRow): number {
  return (
    ranks[one.holding.kind] - ranks[other.holding.kind] ||
    compareBytes(sinceOf(one), sinceOf(other)) ||
    compareBytes(nameOf(one), nameOf(other))
  );
}

const sinceOf = ({ holding }: HookRow): string => (holding.kind === 'holds' ? holding.since : '');

const nameOf = ({ machine, point, hook }: HookRow): string =>
  [machine.namespace, machine.name, point, hook].join('/');
