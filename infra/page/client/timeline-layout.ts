import type { Timeline } from '../views.ts';

/** A timeline in numbers to draw: places along the time are percents of its width. */
export interface Layout {
  rows: LayoutRow[];
  /** How many Pods have no row: there is no room for all. */
  morePods: number;
  ticks: { at: number; label: string }[];
}

export interface LayoutRow {
  kind: 'phase' | 'pod';
  label: string;
  bars: { from: number; width: number; title: string; isOpen: boolean }[];
  dots: { at: number; kind: DotKind; title: string }[];
}

export type DotKind = 'acts' | 'waits' | 'halts' | 'evicted' | 'refused';

/** One that took no time still shows. */
const leastWidth = 0.8;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
const mostTicks = 6;
const mostPods = 10;

export function layOut(timeline: Timeline, now: number = timeline.to): Layout {
  const end = timeline.isOver ? timeline.to : Math.max(now, timeline.to);
  const length = Math.max(1, end - timeline.from);
  const place = (time: number): number => Math.min(100, Math.max(0, ((time - timeline.from) / length) * 100));
  return {
    rows: [...phaseRows(timeline, end, place), ...shownPods(timeline).map(podRow(place))],
    morePods: Math.max(0, timeline.pods.length - mostPods),
    ticks: ticksOf(length),
  };
}

type Place = (time: number) => number;

/** A phase that was gone back to has several bars in its row. */
function phaseRows(timeline: Timeline, end: number, place: Place): LayoutRow[] {
  const { stays, marks } = timeline;
  const names = [...new Set(stays.map(({ phase }) => phase))];
  return names.map((phase) => ({
    kind: 'phase',
    label: phase,
    bars: stays
      .filter((stay) => stay.phase === phase)
      .map((stay) => {
        const [start, stop] = [place(stay.from), place(stay.to ?? end)];
        const width = Math.max(leastWidth, stop - start);
        return {
          from: Math.min(start, 100 - width),
          width,
          title: `${phase}: ${howLong(stay, timeline, end)}`,
          isOpen: stay.to === undefined,
        };
      }),
    dots: marks
      .filter((mark) => mark.phase === phase)
      .map(({ at, kind, message }) => ({ at: place(at), kind, title: message })),
  }));
}

function howLong({ from, to, as }: Timeline['stays'][number], { endsAfter }: Timeline, end: number): string {
  if (to === undefined) return `${seconds(end - from)}, until now`;
  const isEndUnseen = as === undefined && endsAfter !== undefined;
  return isEndUnseen
    ? `at most ${seconds(to - from)}, its end was not seen`
    : `${seconds(to - from)}, passed: ${as ?? 'done'}`;
}

/** Those that were refused go before those that went at once. */
function shownPods({ pods }: Timeline): Timeline['pods'] {
  const chosen = new Set(pods.toSorted((one, other) => other.refused - one.refused).slice(0, mostPods));
  return pods.filter((pod) => chosen.has(pod));
}

const podRow =
  (place: Place) =>
  ({ pod, from, to, outcome, refused, why }: Timeline['pods'][number]): LayoutRow => {
    const [first, last] = [place(from), place(to)];
    const refusal = { kind: 'refused' as const, title: refusedText(refused, why) };
    const end = {
      at: last,
      ...(outcome === 'refused' ? refusal : { kind: 'evicted' as const, title: 'evicted' }),
    };
    if (refused === 0) return { kind: 'pod', label: pod, bars: [], dots: [end] };
    const bar = { from: first, width: last - first, title: '', isOpen: false };
    return { kind: 'pod', label: pod, bars: [bar], dots: [{ at: first, ...refusal }, end] };
  };

const refusedText = (times: number, why = ''): string =>
  `refused ${times === 1 ? 'once' : `${times} times`}${why === '' ? '' : `: ${why}`}`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

function ticksOf(length: number): Layout['ticks'] {
  const total = length / 1_000;
  const step =
    steps.find((each) => total / each <= mostTicks) ?? Math.ceil(total / mostTicks / 86_400) * 86_400;
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => ({
    at: ((index * step) / total) * 100,
    label: shortTime(index * step, step),
  }));
}

function shortTime(value: number, step: number): string {
  if (step < 60) return `${value} s`;
  if (step < 3_600) return `${value / 60} m`;
  return step < 86_400 ? `${value / 3_600} h` : `${value / 86_400} d`;
}
