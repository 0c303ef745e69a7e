import { type ComponentChildren, h } from 'preact';
import type { Timeline as Data } from '../views.ts';
import { duration } from './parts/times.ts';
import { type DotKind, type LayoutRow, layOut } from './timeline-layout.ts';

const rowHeight = 28;
const axisHeight = 26;

/** A deletion as a picture: a row for each phase, and one for each Pod that was evicted. */
export const Timeline = ({ timeline, now }: { timeline: Data; now: number }): ComponentChildren => {
  const { rows, ticks, morePods } = layOut(timeline, now);
  const height = rows.length * rowHeight + axisHeight;
  const took = duration((timeline.isOver ? timeline.to : Math.max(now, timeline.to)) - timeline.from);
  return h(
    'figure',
    { class: 'timeline' },
    h(
      'div',
      { class: 'timeline-rows' },
      h(
        'ul',
        { class: 'timeline-labels', 'aria-hidden': 'true' },
        rows.map(({ kind, label }) => h('li', { key: `${kind} ${label}`, class: `label-${kind}` }, label)),
      ),
      h(
        'svg',
        { width: '100%', height, role: 'img', 'aria-label': sentence(timeline, rows, took) },
        ticks.map(({ at, label }) => tick(at, label, height)),
        rows.map((row, index) => h('g', { key: `${row.kind} ${row.label}` }, drawn(row, index * rowHeight))),
      ),
    ),
    h(
      'figcaption',
      null,
      legend.map(([kind, text]) => key(kind, text)),
      morePods === 0 ? null : h('span', null, `${morePods} more Pods are not drawn`),
    ),
  );
};

function sentence(timeline: Data, rows: readonly LayoutRow[], took: string): string {
  const { pods, isOver, endsAfter } = timeline;
  const all = isOver ? `${endsAfter === undefined ? '' : 'At most '}${took} in all` : `${took} so far`;
  const phases = rows.filter(({ kind }) => kind === 'phase');
  const titles = phases.flatMap(({ bars }) => bars.map(({ title }) => title));
  return `${all}. ${titles.join('; ')}. Pods that were to be evicted: ${pods.length}.`;
}

const tick = (at: number, label: string, height: number): ComponentChildren => [
  h('line', {
    key: `line ${label}`,
    class: 'tick',
    x1: `${at}%`,
    x2: `${at}%`,
    y1: 0,
    y2: height - axisHeight,
  }),
  h(
    'text',
    { key: label, class: 'tick-label', x: `${at}%`, y: height - 8, 'text-anchor': anchor(at) },
    label,
  ),
];

const anchor = (at: number): string => {
  if (at < 5) return 'start';
  return at > 95 ? 'end' : 'middle';
};

function drawn({ kind, bars, dots }: LayoutRow, top: number): ComponentChildren {
  const middle = top + rowHeight / 2;
  const [thickness, shape] = kind === 'phase' ? [12, 'bar'] : [2, 'thread'];
  return [
    ...bars.map(({ from, width, title, isOpen }) =>
      h(
        'rect',
        {
          key: `bar ${from}`,
          class: `${shape} ${isOpen ? 'is-open' : ''}`,
          x: `${from}%`,
          width: `${width}%`,
          y: middle - thickness / 2,
          height: thickness,
          rx: thickness / 2,
        },
        h('title', null, title),
      ),
    ),
    ...dots.map(({ at, kind: dot, title }, index) =>
      h(
        'circle',
        {
          key: `dot ${index}`,
          class: `dot dot-${dot}`,
          cx: `${at}%`,
          cy: middle,
          r: dot === 'acts' || dot === 'waits' ? 3 : 5,
        },
        h('title', null, title),
      ),
    ),
  ];
}

const legend: readonly [DotKind, string][] = [
  ['acts', 'acts'],
  ['waits', 'waits'],
  ['evicted', 'Pod evicted'],
  ['refused', 'eviction refused'],
];

const key = (kind: DotKind, text: string): ComponentChildren =>
  h(
    'span',
    { key: kind, class: 'key' },
    h(
      'svg',
      { width: 12, height: 12, 'aria-hidden': 'true' },
      h('circle', { class: `dot dot-${kind}`, cx: 6, cy: 6, r: kind === 'acts' || kind === 'waits' ? 3 : 5 }),
    ),
    ` ${text}`,
  );
