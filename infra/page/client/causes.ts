import { type ComponentChildren, h } from 'preact';
import type { Cause, Ends, Explanation } from '../../../shared/explain/explanation.ts';
import { endsWords } from '../../../shared/explain/plan-words.ts';
import { Address } from './parts/address.ts';
import { Message } from './parts/message.ts';
import { Pill, type Tone } from './parts/pill.ts';
import { Section } from './parts/section.ts';

const tones: Record<Ends, Tone> = { yes: 'good', no: 'held', unknown: 'plain' };

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

const Ending = ({ answer }: { answer: Ends }): ComponentChildren =>
  h(Pill, { tone: tones[answer] }, endsWords[answer]);

const OneCause = ({ cause }: { cause: Cause }): ComponentChildren =>
  h(
    'div',
    { class: 'item' },
    h('h3', null, cause.what),
    h(
      'dl',
      { class: 'about' },
      cause.object === undefined ? null : pair('Object', objectName(cause.object)),
      cause.owner === undefined
        ? null
        : pair('Owner', isHook(cause) ? h(Address, { text: cause.owner }) : cause.owner),
      Object.entries(cause.numbers ?? {}).map(([name, value]) => pair(name, String(value))),
    ),
    cause.details.map((text) =>
      isHook(cause)
        ? h('p', { key: text, class: 'message' }, h(Address, { text }))
        : h(Message, { key: text, text }),
    ),
    h('p', { class: 'ending' }, h(Ending, { answer: cause.endsByItself }), ' ', cause.why),
  );

/** Contact and runbook of a DeletionHook may be addresses. */
const isHook = ({ kind }: Cause): boolean => kind === 'hook';

const objectName = ({ kind, namespace, name }: NonNullable<Cause['object']>): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

const pair = (name: string, value: ComponentChildren): ComponentChildren =>
  h('div', { key: name }, h('dt', null, name), h('dd', null, value));
