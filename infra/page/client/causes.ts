import { type ComponentChildren, h } from 'preact';
import type { Cause, Ends, Explanation } from '../../../shared/explain/explanation.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { Section } from './parts/section.ts';

const ends: Record<Ends, [Tone, string]> = {
  yes: ['good', 'ends by itself'],
  no: ['held', 'does not end by itself'],
  unknown: ['plain', 'unknown whether it ends'],
};

/** What holds the deletion, or would hold it: each with its object, its owner and its numbers. */
export const Causes = ({ explanation }: { explanation: Explanation }): ComponentChildren => {
  const { causes, endsByItself, verdict, unsure, later } = explanation;
  if (causes.length + unsure.length + later.length === 0) return null;
  return h(
    Section,
    { title: verdict === 'alive' ? 'What would hold it' : 'What holds it' },
    causes.length > 1
      ? h('p', null, h(Ending, { answer: endsByItself.answer }), ' ', endsByItself.why)
      : null,
    causes.map((cause, index) => h(OneCause, { key: index, cause })),
    later.map((text) => h('p', { key: text, class: 'later' }, `Later, in ${text}`)),
    unsure.map((text) => h(Message, { key: text, text })),
  );
};

const Ending = ({ answer }: { answer: Ends }): ComponentChildren => {
  const [tone, word] = ends[answer];
  return h(Pill, { tone }, word);
};

const OneCause = ({ cause }: { cause: Cause }): ComponentChildren =>
  h(
    'div',
    { class: 'item' },
    h('h3', null, cause.what),
    h(
      'dl',
      { class: 'about' },
      cause.object === undefined ? null : pair('Object', objectName(cause.object)),
      cause.owner === undefined ? null : pair('Owner', cause.owner),
      Object.entries(cause.numbers ?? {}).map(([name, value]) => pair(name, String(value))),
    ),
    cause.details.map((text) => h(Message, { key: text, text })),
    h('p', { class: 'ending' }, h(Ending, { answer: cause.endsByItself }), ' ', cause.why),
  );

const objectName = ({ kind, namespace, name }: NonNullable<Cause['object']>): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

const pair = (name: string, value: string): ComponentChildren =>
  h('div', { key: name }, h('dt', null, name), h('dd', null, value));
