import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import type { ConnectionState } from './live.ts';
import { openByToken } from './session.ts';

/** A plan of many is made once: what it shows stays as it is. */
export type Shows = ConnectionState | 'making' | 'made';

const words: Record<Shows, string> = {
  connecting: 'Connecting',
  live: 'Live',
  closed: 'No session',
  ended: 'Not connected: trying again',
  making: 'Making the plan',
  made: 'Not live',
};

/** Whether what is shown is up to date. */
export const LiveNote = ({ standing }: { standing: Shows }): ComponentChildren =>
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

/** Takes a token of Kubernetes, and keeps it nowhere. */
export const TokenForm = (): ComponentChildren => {
  const [isRefused, setRefused] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>('#token');
    if (await openByToken(field?.value ?? '')) return location.reload();
    setRefused(true);
  };
  return h(
    'section',
    { class: 'card' },
    h('h1', null, 'Who are you?'),
    h(
      'p',
      null,
      'You see here what you may see in the cluster. Make a token that is for this page alone, and put it here:',
    ),
    h('pre', null, h('code', null, 'kubectl create token NAME -n NAMESPACE --audience phaseout-page')),
    h(
      'form',
      { onSubmit: (event: SubmitEvent) => void submit(event) },
      h('label', { for: 'token' }, 'Token'),
      h('input', {
        id: 'token',
        type: 'password',
        autocomplete: 'off',
        required: true,
        'aria-describedby': 'refused',
      }),
      h('button', { type: 'submit' }, 'Open'),
      h(
        'p',
        { id: 'refused', class: 'costs', role: 'alert' },
        isRefused ? 'This token is no good for this page.' : '',
      ),
    ),
  );
};
