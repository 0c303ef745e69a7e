import type { HookRow } from '../../../shared/explain/hooks/hook-report.ts';
import { reportHooks } from '../../../shared/explain/hooks/report-hooks.ts';
import { type Template, templateKinds } from '../../../shared/explain/hooks/templates.ts';
import type { Kubernetes, Resource, Selection } from '../../../shared/kubernetes/client.ts';
import { unreadIn } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { events } from '../../../shared/kubernetes/resources.ts';
import { compareBytes } from '../../../shared/text/byte-order.ts';
import { type MachineApi, servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { isJson, parseOptions } from '../../terminal/parse-arguments.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { labelOfRef } from '../fleet.ts';
import { openLooker } from '../look/looker.ts';
import { lookSourceOf, namespaceOf, namespaceOption } from '../look/options.ts';
import { sourceOptions } from '../options.ts';
import { hookLines } from './report.ts';

export const hooksOptions = { ...sourceOptions, ...namespaceOption } as const;

/** Throws UsageError. */
function readHooksOptions(args: readonly string[]) {
  const values = parseOptions(args, hooksOptions);
  const namespace = namespaceOf(values);
  return { source: lookSourceOf(values, 'cluster'), namespace, json: isJson(values.output) };
}

/** `phaseout hooks`. Resolves with the exit code; throws what main knows how to say. */
export async function hooks(args: readonly string[], outside: Outside): Promise<number> {
  const { source, namespace, json } = readHooksOptions(args);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const kubernetes = looker.environment.management;
  const machineApis = await servedMachineApis(kubernetes, looker.url);
  const { machines, lacksTemplates, ...around } = await gather(kubernetes, machineApis, namespace);
  const read = machines.filter((list) => list !== undefined);
  const unread = looker.unread().toSorted(compareBytes);
  // Where no Machine could be read, that there is no hook would be a guess.
  if (read.length === 0) throw new CannotDo(unread.join('; '));
  const now = outside.clock.now();
  const report = reportHooks({ machines: read.flat(), ...around, now });
  const labelOf = ({ machine }: HookRow): string => labelOfRef({ kubernetes, machineApis }, machine);
  const shown = { now, notes: [...looker.notes, ...unread], labelOf, lacksTemplates };
  const lines = json
    ? [JSON.stringify({ ...report, notes: looker.notes, unread })]
    : hookLines(report, shown, paintFor(outside.stdout, outside));
  outside.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

type Reading = Pick<Kubernetes, 'list' | 'discover'>;

/** What hooks are read from; undefined is what could not be read. One list for each Machine API, one for each kind of template that is served, and one for Events. */
async function gather(
  kubernetes: Reading,
  machineApis: readonly MachineApi[],
  namespace: string | undefined,
) {
  const where: Selection = namespace === undefined ? {} : { namespace };
  const groups = machineApis.map(({ dialect }) => dialect.group);
  const kinds = templateKinds.filter(({ makes }) => groups.includes(makes));
  const [machines, templates, told] = await Promise.all([
    Promise.all(machineApis.map(({ resource }) => listed(kubernetes, resource, where))),
    Promise.all(kinds.map((kind) => templatesOf(kubernetes, kind, where))),
    listed(kubernetes, events, { ...where, fieldSelector: 'involvedObject.kind=Machine' }),
  ]);
  return {
    machines,
    templates: templates.flatMap((each) => each ?? []),
    lacksTemplates: templates.includes(undefined),
    events: told,
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

/** What could not be read is said under the answer. */
async function listed(
  kubernetes: Reading,
  resource: Resource,
  where: Selection,
): Promise<KubeObject[] | undefined> {
  try {
    return (await kubernetes.list(resource, where)).items;
  } catch (error) {
    if (unreadIn(error) === undefined) throw error;
    return undefined;
  }
}
