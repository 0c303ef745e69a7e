import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import { openByToken } from './session.ts';

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
