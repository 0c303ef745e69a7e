import { describe, expect, test } from 'vitest';
import { hookKeyCommand } from '../../../infra/knative/hook-key.ts';
import { ofKind, renderedForAll } from './rendered.ts';

describe('the Secret for the key of tokens', () => {
  test('is rendered for deploy alone, and never with a key', () => {
    expect(ofKind(renderedForAll(), 'v1/Secret')).toEqual([]);
    expect(ofKind(renderedForAll({ hookKey: true, namespace: 'there' }), 'v1/Secret')).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'phaseout-hook-key', namespace: 'there', labels: expect.anything() },
        type: 'Opaque',
      },
    ]);
  });

  test.each(['own/key', ''])('is not rendered where PHASEOUT_HOOK_KEY is %j', (named) => {
    const objects = renderedForAll({ hookKey: true, environment: { PHASEOUT_HOOK_KEY: named } });
    expect(ofKind(objects, 'v1/Secret')).toEqual([]);
  });
});

test.each<[environment: Record<string, string>, command: string | undefined]>([
  [
    { PHASEOUT_HOOK_KEY: 'own/key' },
    'kubectl create secret generic key -n own --from-literal=key="$(openssl rand -base64 32)"',
  ],
  [{ PHASEOUT_HOOK_KEY: '' }, undefined],
  [{}, undefined],
])('for %j the command is %j', (environment, command) => {
  expect(hookKeyCommand(environment)).toBe(command);
});
