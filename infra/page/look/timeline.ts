import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { type Phase, phases } from '../../../shared/machine/phase.ts';
import type { HistoryEntry } from '../../../shared/store/port.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Timeline, TimelineMark, TimelinePod, TimelineStay, Went } from '../views.ts';

const isPhase = (word: string): word is Phase => phases.some((phase) => phase === word);

/** What is known of how a deletion went. */
export interface Course {
  /** RFC 3339; absent where the Machine lives. */
  deletionTimestamp?: string | undefined;
  checkpoint?: Checkpoint | undefined;
  /** Where the Machine shows it to be, also where the API's own controller deletes it. */
  standing?: Pick<DeletionStatus, 'phase' | 'since' | 'deletedAt'> | undefined;
  history: readonly HistoryEntry[];
  pods: readonly PodRecord[];
  /** Absent while it is there. */
  went?: Went | undefined;
  now: Instant;
}

/** A deletion as it is drawn; undefined where none has begun. */
export function timelineOf(course: Course): Timeline | undefined {
  const { history, checkpoint, deletionTimestamp, went, now } = course;
  const stays = history.length > 0 ? staysIn(course) : withStanding(staysBy(checkpoint), course);
  const asked = deletionTimestamp === undefined ? [] : [Date.parse(deletionTimestamp)];
  const begun = [...asked, ...stays.map(({ from }) => from), ...history.map(({ at }) => at)];
  if (begun.length === 0) return undefined;
  const to = went?.at ?? now;
  return {
    from: Math.min(...begun),
    to: Math.max(to, ...begun),
    isOver: went !== undefined,
    ...(went?.after !== undefined && { endsAfter: went.after }),
    stays: stays.map((stay) => (stay.to === undefined && went !== undefined ? { ...stay, to } : stay)),
    pods: course.pods.map(podOf).toSorted((one, other) => one.from - other.from),
    marks: history.flatMap(markOf),
  };
}

/** By the history: each phase begins where the one before it was passed. */
function staysIn({ history, checkpoint, deletionTimestamp }: Course): TimelineStay[] {
  const sorted = history.toSorted((one, other) => one.at - other.at);
  const stays: TimelineStay[] = [];
  let begin = deletionTimestamp === undefined ? (sorted[0]?.at ?? 0) : Date.parse(deletionTimestamp);
  for (const { at, phase, what, reason } of sorted) {
    if (!isPhase(phase)) continue;
    const last = stays.at(-1);
    if (last?.phase !== phase) stays.push({ phase, from: Math.min(begin, at) });
    if (what === 'advanced') begin = close(stays, at, reason);
  }
  return goingOn(stays, checkpoint?.phase, begin);
}

function close(stays: TimelineStay[], at: Instant, as: string): Instant {
  const last = stays.pop();
  if (last !== undefined) stays.push({ ...last, to: at, as });
  return at;
}

/** The phase that the checkpoint names may have left no entry yet. */
function goingOn(stays: readonly TimelineStay[], phase: Phase | undefined, from: Instant): TimelineStay[] {
  const last = stays.at(-1);
  const isThere = phase === undefined || (last?.phase === phase && last.to === undefined);
  return isThere ? [...stays] : [...stays, { phase, from }];
}

/** Without a history the checkpoint says when each phase was come to. */
function staysBy(checkpoint: Checkpoint | undefined): TimelineStay[] {
  if (checkpoint === undefined) return [];
  const passed = Object.entries(checkpoint.passed)
    .filter(([, { as }]) => as !== 'not-applicable')
    .flatMap(([phase, { as, since }]) => (isPhase(phase) ? [{ phase, as, from: Date.parse(since) }] : []))
    .toSorted((one, other) => one.from - other.from);
  const here = { phase: checkpoint.phase, from: Date.parse(checkpoint.since) };
  const starts = [...passed.map(({ from }) => from), here.from];
  return [...passed.map((stay, index) => ({ ...stay, to: starts[index + 1] ?? here.from })), here];
}

/** What the checkpoint does not tell: the API's own controller has gone on, or has done it all. */
function withStanding(stays: readonly TimelineStay[], { standing, checkpoint }: Course): TimelineStay[] {
  const { phase, since, deletedAt } = standing ?? {};
  const last = stays.at(-1);
  if (phase === undefined || deletedAt === undefined || last?.phase === phase) return [...stays];
  const from = Date.parse(since ?? checkpoint?.released ?? deletedAt);
  const before = last === undefined ? [] : [...stays.slice(0, -1), { ...last, to: from, as: 'done' }];
  return [...before, { phase, from }];
}

function podOf(record: PodRecord): TimelinePod {
  const { namespace, name, outcome, refusals, lastRefusal } = record;
  return {
    pod: `${namespace}/${name}`,
    from: record.firstAttempt,
    to: record.lastAttempt,
    outcome,
    refused: Object.values(refusals).reduce((sum, count) => sum + count, 0),
    ...(lastRefusal !== undefined && { why: lastRefusal.text }),
  };
}

const shown: Partial<Record<HistoryEntry['what'], TimelineMark['kind']>> = {
  acted: 'acts',
  waited: 'waits',
  halted: 'halts',
};

function markOf({ at, phase, what, reason, message }: HistoryEntry): TimelineMark[] {
  const kind = shown[what];
  return kind === undefined ? [] : [{ at, phase, kind, reason, message }];
}
