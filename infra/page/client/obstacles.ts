import { type ComponentChildren, h } from 'preact';
import type { DeletionPlan, PlannedVolume } from '../../../shared/plan/deletion-plan.ts';
import { Message } from './parts/message.ts';
import { Section } from './parts/section.ts';
import { Table } from './parts/table.ts';
import { dateTime, duration } from './parts/times.ts';

/** What keeps everything from the Machine as it is now. */
export const Holds = ({ plan }: { plan: DeletionPlan }): ComponentChildren =>
  plan.held.length === 0
    ? null
    : h(
        Section,
        { title: 'Nothing is done to the Machine as it is now' },
        plan.held.map(({ reason, message }) =>
          h('div', { key: reason }, h('p', { class: 'reason' }, reason), h(Message, { text: message })),
        ),
      );

export const Unreachable = ({ plan: { unreachable } }: { plan: DeletionPlan }): ComponentChildren =>
  unreachable === undefined
    ? null
    : h(
        Section,
        { title: `Node ${unreachable.node} is unreachable` },
        unreachable.since === undefined ? null : h('p', null, `Since ${dateTime(unreachable.since)}.`),
        h(
          'ul',
          null,
          unreachable.changes.map((text) => h('li', { key: text }, text)),
        ),
      );

export const Volumes = ({ plan }: { plan: DeletionPlan }): ComponentChildren => {
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

export const Limits = ({ plan: { limits = [] } }: { plan: DeletionPlan }): ComponentChildren =>
  limits.length === 0
    ? null
    : h(
        Section,
        { title: 'Time limits' },
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

export const Returning = ({ plan: { returning = [] } }: { plan: DeletionPlan }): ComponentChildren =>
  returning.length === 0
    ? null
    : h(
        Section,
        { title: 'Pods that come back' },
        h('p', null, 'They tolerate the cordon. The drain is not done while one of them is on the Node.'),
        h(
          'ul',
          null,
          returning.map(({ pod }) => h('li', { key: pod }, pod)),
        ),
      );

export const Namespaces = ({ plan: { namespaces = [] } }: { plan: DeletionPlan }): ComponentChildren =>
  namespaces.length === 0
    ? null
    : h(
        Section,
        { title: 'Namespaces that are being deleted: evictions of their Pods are refused' },
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

interface HooksProps {
  plan: DeletionPlan;
  set: Readonly<Record<string, string>>;
  now: number;
}

/** What their owners have to take off: the Machine waits at their point. */
export const Hooks = ({ plan, set, now }: HooksProps): ComponentChildren => {
  if (plan.hooks.length === 0) return null;
  const age = (name: string): string => {
    const time = set[name];
    return time === undefined ? 'unknown' : `${duration(now - Date.parse(time))} at least`;
  };
  return h(
    Section,
    { title: 'Hooks that their owners have to remove' },
    h(Table, {
      caption: 'Hooks',
      heads: ['Hook', 'At', 'Owner', 'There for'],
      rows: plan.hooks.map(({ name, point, owner }) => [name, point, owner ?? 'unknown', age(name)]),
    }),
  );
};
