import { standingOrUnread, worstFirst } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { isJson, parseOptions } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { printable } from '../../terminal/words.ts';
import { type Fleet, labelOfRef } from '../fleet.ts';
import { brief } from '../history/open-table.ts';
import { archiveOptions, archivePlacesOf } from '../history/options.ts';
import { waysTo } from '../history/ways.ts';
import { listDeleting } from '../look/list-deleting.ts';
import { type Looker, openLooker } from '../look/looker.ts';
import { lookOptions, lookSourceOf, namespaceOf, namespaceOption } from '../look/options.ts';
import { type NextLooks, openNextLooks } from './next-looks.ts';
import { type Drawing, statusLines } from './report.ts';
import { watchStatus } from './watch.ts';

export const statusOptions = {
  ...lookOptions,
  ...archiveOptions,
  'all-namespaces': { type: 'boolean', short: 'A' },
  ...namespaceOption,
  watch: { type: 'boolean', short: 'w' },
} as const;

/** Throws UsageError. */
function readStatusOptions(args: readonly string[]) {
  const values = parseOptions(args, statusOptions);
  const { 'all-namespaces': isAll = false, watch = false, output } = values;
  const namespace = namespaceOf(values);
  if (namespace !== undefined && isAll)
    throw new UsageError('--all-namespaces and --namespace exclude each other');
  const isNamed = Object.keys(archiveOptions).some((name) => name in values);
  return {
    source: lookSourceOf(values, 'cluster'),
    namespace,
    watch,
    store: isNamed ? archivePlacesOf(values) : undefined,
    json: isJson(output),
  };
}

/** `phaseout status`. Resolves with the exit code; throws what main knows how to say. */
export async function status(args: readonly string[], outside: Outside): Promise<number> {
  const { source, namespace, watch, json, store } = readStatusOptions(args);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'forbidden' }, outside, closing);
  const kubernetes = looker.environment.management;
  const fleet = { kubernetes, machineApis: await servedMachineApis(kubernetes, looker.url) };
  const selection = namespace === undefined ? {} : { namespace };
  const ways = store === undefined ? [] : waysTo(store, outside, brief);
  const looks = await openNextLooks(ways, outside.clock, closing);
  const asked = { fleet, looker, json, outside, looks };
  if (watch)
    return await watchStatus({
      ...asked,
      selection,
      linesOf: (machines) => {
        // The next drawing has what it answers.
        void looks.refresh();
        return linesOf(machines, asked);
      },
    });
  const machines = await listDeleting(fleet, selection);
  outside.stdout.write(`${linesOf(machines, asked).join('\n')}\n`);
  return 0;
}

interface Asked {
  fleet: Fleet;
  looker: Looker;
  json: boolean;
  outside: Outside;
  looks: NextLooks;
}

/** The whole answer, for people or as one line of JSON. */
function linesOf(machines: readonly KubeObject[], { fleet, looker, json, outside, looks }: Asked): string[] {
  const { dialects } = looker.environment;
  const now = outside.clock.now();
  const standings = worstFirst(
    machines.flatMap((machine) => {
      const due = looks.of(machine.metadata.uid ?? '');
      return standingOrUnread(machine, { now, dialects, due }) ?? [];
    }),
  );
  const unread = [...looker.unread(), ...looks.unread];
  if (json) return [JSON.stringify({ machines: standings, notes: looker.notes, unread })];
  const paint = paintFor(outside.stdout, outside);
  return [
    ...statusLines(standings, {
      ...drawingOf(outside),
      now,
      paint,
      label: ({ machine }) => labelOfRef(fleet, machine),
    }),
    ...looker.notes.map((note) => paint('dim', printable(note))),
    ...unread.map((line) => paint('yellow', printable(line))),
  ];
}

const drawingOf = ({ stdout }: Outside): Pick<Drawing, 'width'> =>
  stdout.isTTY === true ? { width: stdout.columns || 80 } : {};
