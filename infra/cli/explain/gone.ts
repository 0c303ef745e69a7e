import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Outside } from '../../terminal/outside.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { duration } from '../../terminal/words.ts';
import { askWays } from '../history/ask-ways.ts';
import { historiesOf } from '../history/asked.ts';
import { type Found, findHistories } from '../history/found.ts';
import type { ArchivePlaces } from '../history/options.ts';
import { saying, time } from '../history/rows.ts';
import { brief } from '../history/way.ts';
import { waysTo } from '../history/ways.ts';
import { toType } from '../look/to-type.ts';
import { asTyped, type MachineName } from '../machine-name.ts';
import { NoSuchNamespace } from '../namespaces.ts';

type Asked = { machine: MachineName } & ArchivePlaces;

/** The same error, and how the deletion of the missing Machine ended, where a history can be read. */
export async function withItsEnd(
  error: unknown,
  asked: Asked,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<unknown> {
  if (!(error instanceof CannotDo) || error instanceof NoSuchNamespace || !mayHaveHistory(asked))
    return error;
  const { machine } = asked;
  const read = await askWays(
    waysTo(asked, outside, brief),
    ({ archive }) => findHistories(archive, { wanted: historiesOf(machine), since: undefined }),
    closing,
  );
  const command = historyCommand(asked, outside);
  if (!('answer' in read))
    return new CannotDo(`${error.message}\nIf it is gone, its history says how: ${command}`);
  const [last] = read.answer;
  return last === undefined
    ? new CannotDo(`${error.message}\nThe history has no Machine of this name: ${read.where}`)
    : new CannotDo([error.message, ...endOf(last), `Its history: ${command}`].join('\n'));
}

/** Manifests have none, unless its table is named. */
const mayHaveHistory = ({ source, named }: Asked): boolean =>
  source.kind === 'cluster' || Object.keys(named).length > 0;

/** Of several Machines of that name this is the last one. */
function endOf({ machine: { uid }, entries }: Found): string[] {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return [];
  const end = entries.findLast(({ what }) => what === 'completed');
  const its = `The last Machine of this name, UID ${uid}`;
  if (end === undefined)
    return [
      `${its}: no end of its deletion is known. The last entry is of ${time(last.at)} UTC: ${of(last)}`,
    ];
  return [`${its}: ${of(end)} at ${time(end.at)} UTC, ${duration(end.at - first.at)} after the first entry`];
}

const of = (entry: HistoryEntry): string =>
  entry.what === 'completed' ? saying(entry) : `${entry.phase} ${entry.what}, ${saying(entry)}`;

/** The history is found by the same options. */
function historyCommand({ machine, named, source, installedIn }: Asked, outside: Outside): string {
  const given = Object.entries(named).flatMap(([name, value]) => [`--${name}`, value]);
  const elsewhere = installedIn === 'phaseout' ? [] : ['--installed-in', installedIn];
  const words = ['history', asTyped(machine), ...given, ...elsewhere];
  const { kubeconfig, context } = source.kind === 'cluster' ? source : {};
  return toType(outside, words, { kind: 'cluster', kubeconfig, context });
}
