import { type ComponentChildren, h } from 'preact';
import type { DeletionPlan, PlannedVolume } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { List, Section, sectionOf } from './parts/section.ts';
import { Table } from './parts/table.ts';
import { dateTime, duration } from './parts/times.ts';

interface PlanProps {
  plan: DeletionPlan;
}

/** What keeps everything from the Machine as it is now. */
export const Holds = ({ plan: { held } }: PlanProps): ComponentChildren =>
  sectionOf('Nothing is done to the Machine as it is now', held, () =>
    held.map(({ reason, message }) =>
      h('div', { key: reason }, h('p', { class: 'reason' }, reason), h(Message, { text: message })),
    ),
  );

export const Unreachable = ({ plan: { unreachable } }: PlanProps): ComponentChildren =>
  unreachable === undefined
    ? null
    : h(
        Section,
        { title: `Node ${unreachable.node} is unreachable` },
        unreachable.since === undefined ? null : h('p', null, `Since ${dateTime(unreachable.since)}.`),
        h(List, { texts: unreachable.changes }),
      );

export const Volumes = ({ plan }: PlanProps): ComponentChildren => {
  const left = plan.unawaited ?? [];
  if (plan.volumes.length + left.length === 0) return null;
  return h(
    Section,
    { title: 'Volumes' },
    h(Table, {
      caption: 'Volumes',
      heads: ['Volume', 'Kind', 'Is waited for'],
      rows: [
        ...plan.volumes.map((volume) => [named(volume), volume.kind, 'yes']),
        ...left.map((volume) => [named(volume), volume.kind, `no: ${volume.why}`]),
      ],
    }),
  );
};

const named = (volume: PlannedVolume): ComponentChildren =>
  h('div', null, volume.name, h(Message, { text: detailsOf(volume) }));

function detailsOf({ persistentVolume, attachment, detachError }: PlannedVolume): string {
  return [
    ...(persistentVolume === undefined ? [] : [`of PersistentVolume ${persistentVolume}`]),
    ...(attachment === undefined ? [] : [`VolumeAttachment ${attachment}`]),
    ...(detachError === undefined ? [] : [`detaching failed: ${detachError}`]),
  ].join('; ');
}

export const Limits = ({ plan: { limits = [] } }: PlanProps): ComponentChildren =>
  sectionOf('Time limits', limits, () =>
    h(Table, {
      caption: 'Time limits',
      heads: ['Phase', 'Is given up', 'Then'],
      rows: limits.map(({ phase, seconds, givenUpAt, afterwards }) => [
        phase,
        givenUpAt === undefined ? `${seconds} s after it begins` : `at ${dateTime(givenUpAt)}`,
        afterwards,
      ]),
    }),
  );

export const Returning = ({ plan: { returning = [] } }: PlanProps): ComponentChildren =>
  sectionOf('Pods that come back', returning, () => [
    h(
      'p',
      { key: 'why' },
      'They tolerate the cordon. The drain is not done while one of them is on the Node.',
    ),
    h(List, { key: 'pods', texts: returning.map(({ pod }) => pod) }),
  ]);

export const Namespaces = ({ plan: { namespaces = [] } }: PlanProps): ComponentChildren =>
  sectionOf('Namespaces that are being deleted: evictions of their Pods are refused', namespaces, () =>
    namespaces.map(({ name, since, remaining }) =>
      h(
        'div',
        { key: name, class: 'item' },
        h('h3', null, name),
        h('p', null, `Since ${dateTime(since)}.`),
        remaining.map((text) => h(Message, { key: text, text })),
      ),
    ),
  );

interface HooksProps extends PlanProps {
  set: Readonly<Record<string, string>>;
  now: number;
}

/** What their owners have to take off: the Machine waits at their point. */
export const Hooks = ({ plan: { hooks }, set, now }: HooksProps): ComponentChildren => {
  const age = (name: string): string => {
    const time = set[name];
    return time === undefined ? 'unknown' : `${duration(now - Date.parse(time))} at least`;
  };
  return sectionOf('Hooks that their owners have to remove', hooks, () =>
    h(Table, {
      caption: 'Hooks',
      heads: ['Hook', 'At', 'Owner', 'There for'],
      rows: hooks.map(({ name, point, owner }) => [name, point, owner ?? 'unknown', age(name)]),
    }),
  );
};
