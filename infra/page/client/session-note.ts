import { type ComponentChildren, h } from 'preact';
import type { Standing } from './live.ts';

const words: Record<Standing, string> = {
  connecting: 'Connecting',
  live: 'Live',
  closed: 'No session',
  ended: 'Not connected: trying again',
};

/** Whether what is shown is up to date. */
export const LiveNote = ({ standing }: { standing: Standing }): ComponentChildren =>
  h('p', { class: `live live-${standing}`, role: 'status' }, words[standing]);

/** For a browser that was not given the address of the terminal. */
export const NoSession = (): ComponentChildren =>
  h(
    'section',
    { class: 'empty' },
    h('h1', null, 'Open the address from your terminal'),
    h(
      'p',
      null,
      'This page shows a cluster with your credentials, so it opens only by the whole address that the command printed, with all that follows the #.',
    ),
    h('p', null, 'If the command was started again, it has printed a new address.'),
  );
