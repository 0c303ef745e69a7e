import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import { explain as explainSeen } from '../../../shared/explain/explain.ts';
import type { Explanation } from '../../../shared/explain/explanation.ts';
import type { Seen } from '../../../shared/explain/seen.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import { type Records, recordsOf } from '../../page/look/records.ts';
import { tellBeside } from '../../terminal/beside.ts';
import { answerOutput, asData } from '../../terminal/output.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { parseArguments } from '../../terminal/parse-arguments.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { findMachine, labelOf } from '../fleet.ts';
import { type ArchivePlaces, archiveOptions, archivePlacesOf } from '../history/options.ts';
import { recordsBy } from '../history/records-by-ways.ts';
import { podAsJson } from '../history/report.ts';
import { brief } from '../history/way.ts';
import { waysTo } from '../history/ways.ts';
import { inContext } from '../look/in-context.ts';
import { openLooker } from '../look/looker.ts';
import { type LookAtOne, lookAtOneOf, namespaceOfOne, placeOptions } from '../look/options.ts';
import { withNotes } from '../look/with-notes.ts';
import { seenOf } from './explained.ts';
import { withItsEnd } from './gone.ts';
import { reportLines } from './report.ts';

/** What `phaseout explain` is asked for, and where the history is. */
type ExplainOptions = LookAtOne & ArchivePlaces;

export const explainOptions = {
  ...namespaceOfOne,
  output: { ...answerOutput.output, meaning: 'the explanation as data, with all that was tried' },
  ...placeOptions,
  ...archiveOptions,
} as const;

/** Throws UsageError. */
function readExplainOptions(args: readonly string[]): ExplainOptions {
  const read = parseArguments(args, explainOptions);
  const one = lookAtOneOf(args, read, 'explain');
  return { ...archivePlacesOf(read.values), ...one };
}

/** `phaseout explain`. Resolves with the exit code; throws what main knows how to say. */
export async function explain(args: readonly string[], outside: Outside): Promise<number> {
  const options = readExplainOptions(args);
  const { source, form } = options;
  const machine = await inContext(options, outside);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, machine, goesOnWithout: 'unavailable' }, outside, closing);
  const { environment, url, notes } = looker;
  const kubernetes = environment.management;
  const machineApis = await servedMachineApis(kubernetes, url);
  const fleet = { kubernetes, machineApis, isGiven: source.kind === 'manifests' };
  const told = (error: unknown): Promise<unknown> =>
    withItsEnd(error, { ...options, machine }, outside, closing);
  const target = await withNotes(findMachine(fleet, machine), notes).catch(async (error: unknown) => {
    throw await told(error);
  });
  const { api, namespace, name } = target;
  const label = labelOf(fleet, target);
  const raw = await kubernetes.get(api.resource, { namespace, name });
  if (raw === undefined) throw await told(new CannotDo(went(label)));
  const records = recordsBy(waysTo(options, outside, brief), outside.clock, closing);
  const [seen, { pods, ...tried }] = await Promise.all([
    seenOf({ looker, source, raw }),
    recordsOf({ machine: raw }, { recordsOf: records }),
  ]);
  if (seen === undefined) throw await told(new CannotDo(went(label)));
  const explanation = withTried(seen, tried);
  const data = asData(form, () => dataOf(explanation, pods, notes));
  const around = { label, now: seen.now, pods };
  if (data === undefined) tellBeside({ notes, unread: explanation.unread }, outside);
  outside.stdout.write(
    data ?? `${reportLines(explanation, around, paintFor(outside.stdout, outside)).join('\n')}\n`,
  );
  return exitCodes[explanation.verdict];
}

const went = (label: string): string => `Machine ${label} went while it was looked at`;

const dataOf = (explanation: Explanation, pods: readonly PodRecord[], notes: readonly string[]): object => ({
  ...explanation,
  ...(explanation.tried && { triedWithPods: pods.map(podAsJson) }),
  notes,
});

/** The verdict comes from the cluster alone. The tries stand beside it, and so does a history that was not read. */
function withTried(seen: Seen, { history, unread }: Omit<Records, 'pods'>): Explanation {
  const isRead = seen.standing !== undefined && unread.length === 0;
  const explanation = explainSeen({ ...seen, ...(isRead && { history }) });
  return { ...explanation, unread: [...explanation.unread, ...unread] };
}

/** Scripts go by these: they stay. */
const exitCodes: Readonly<Record<Explanation['verdict'], number>> = {
  progressing: 0,
  alive: 0,
  held: 4,
  unknown: 5,
};
