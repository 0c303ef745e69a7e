import type { HookRow } from '../../../shared/explain/hooks/hook-report.ts';
import { reportHooks } from '../../../shared/explain/hooks/report-hooks.ts';
import { type Template, templateKinds } from '../../../shared/explain/hooks/templates.ts';
import type { Kubernetes, Selection } from '../../../shared/kubernetes/client.ts';
import { events } from '../../../shared/kubernetes/resources.ts';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import { type MachineApi, servedMachineApis } from '../../host/served-machine-apis.ts';
import { tellBeside } from '../../terminal/beside.ts';
import { answerOutput, asData } from '../../terminal/output.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { parseOptions } from '../../terminal/parse-arguments.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { labelOfRef } from '../fleet.ts';
import { deletionHooksOf, listed } from '../look/list-hooks.ts';
import { openLooker } from '../look/looker.ts';
import { lookSourceOf, namespaceOption } from '../look/options.ts';
import { mustHaveNamespace } from '../namespaces.ts';
import { namespaceOf, sourceOptions } from '../source.ts';
import { passHook } from './pass.ts';
import { hookLines } from './report.ts';

export const hooksOptions = { ...namespaceOption, ...answerOutput, ...sourceOptions } as const;

/** Throws UsageError. */
function readHooksOptions(args: readonly string[]) {
  const values = parseOptions(args, hooksOptions);
  const namespace = namespaceOf(values);
  return { source: lookSourceOf(values), namespace, form: values.output ?? ('text' as const) };
}

/** `phaseout hooks`. Resolves with the exit code; throws what main knows how to say. */
export async function hooks(args: readonly string[], outside: Outside): Promise<number> {
  if (args[0] === 'pass') return passHook(args.slice(1), outside);
  const { source, namespace, form } = readHooksOptions(args);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const kubernetes = looker.environment.management;
  const machineApis = await servedMachineApis(kubernetes, looker.url);
  const { machines, lacksTemplates, ...around } = await gather(kubernetes, machineApis, namespace);
  const read = machines.filter((list) => list !== undefined);
  const unread = looker.unread().toSorted(compareBytes);
  // Where no Machine could be read, that there is no hook would be a guess.
  if (read.length === 0) throw new CannotDo(unread.join('; '));
  const isGiven = source.kind === 'manifests';
  if (namespace !== undefined && read.flat().length === 0)
    await mustHaveNamespace({ kubernetes, isGiven }, namespace);
  const now = outside.clock.now();
  const report = reportHooks({
    machines: read.flat(),
    ...around,
    dialects: looker.environment.dialects,
    now,
  });
  const labelOf = ({ machine }: Pick<HookRow, 'machine'>): string =>
    labelOfRef({ kubernetes, machineApis }, machine);
  const shown = { now, labelOf, lacksTemplates };
  const data = asData(form, () => ({ ...report, notes: looker.notes, unread }));
  if (data === undefined) tellBeside({ notes: looker.notes, unread }, outside);
  outside.stdout.write(data ?? `${hookLines(report, shown, paintFor(outside.stdout, outside)).join('\n')}\n`);
  return 0;
}

type Reading = Pick<Kubernetes, 'list' | 'discover'>;

/**
 * What hooks are read from; undefined is what could not be read. One list for each Machine API and each kind of template that
 * is served. One for Events, and one for DeletionHooks.
 */
async function gather(
  kubernetes: Reading,
  machineApis: readonly MachineApi[],
  namespace: string | undefined,
) {
  const where: Selection = namespace === undefined ? {} : { namespace };
  const groups = machineApis.map(({ dialect }) => dialect.group);
  const kinds = templateKinds.filter(({ makes }) => groups.includes(makes));
  const [machines, templates, told, deletionHooks] = await Promise.all([
    Promise.all(machineApis.map(({ resource }) => listed(kubernetes, resource, where))),
    Promise.all(kinds.map((kind) => templatesOf(kubernetes, kind, where))),
    listed(kubernetes, events, { ...where, fieldSelector: 'involvedObject.kind=Machine' }),
    deletionHooksOf(kubernetes, where),
  ]);
  return {
    machines,
    templates: templates.flatMap((each) => each ?? []),
    lacksTemplates: templates.includes(undefined),
    events: told,
    deletionHooks,
  };
}

async function templatesOf(
  kubernetes: Reading,
  { group, kind, versions }: (typeof templateKinds)[number],
  where: Selection,
): Promise<Template[] | undefined> {
  for (const version of versions) {
    const resource = await kubernetes.discover(group, kind, version);
    if (resource === undefined) continue;
    const objects = await listed(kubernetes, resource, where);
    return objects?.map((object) => ({ object, kind, group }));
  }
  return [];
}
