import { isValidElement } from 'preact';
import { describe, expect, test } from 'vitest';
import { Causes } from '../../../infra/page/client/causes.ts';
import { Address } from '../../../infra/page/client/parts/address.ts';
import type { Cause, Explanation } from '../../../shared/explain/explanation.ts';

describe('contact and runbook of a DeletionHook', () => {
  test.each([
    'https://runbooks.example/osd',
    'http://runbooks.example/osd?rack=4',
    'HTTPS://runbooks.example',
  ])('%s is a link that tells the other site nothing of the page', (text) => {
    expect(Address({ text })).toMatchObject({
      type: 'a',
      props: { href: text, target: '_blank', rel: 'noopener noreferrer', children: text },
    });
  });

  test.each([
    '#storage-oncall',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'see https://runbooks.example/osd',
    'https://runbooks.example/osd javascript:alert(1)',
    'https://',
    '//runbooks.example/osd',
    'ftp://runbooks.example/osd',
    '<a href="https://runbooks.example">osd</a>',
  ])('%s is text', (text) => {
    expect(Address({ text })).toBe(text);
  });

  const cause: Cause = {
    kind: 'hook',
    what: 'Waiting for DeletionHook move-data: no answer yet',
    owner: 'https://chat.example/storage',
    details: ['https://runbooks.example/osd'],
    endsByItself: 'unknown',
    why: 'its function has to answer Done',
  };

  test('are shown where the Machine waits for it', () => {
    expect(addressesIn(shown(cause))).toEqual([
      'https://chat.example/storage',
      'https://runbooks.example/osd',
    ]);
  });

  test('what other causes say is no address', () => {
    expect(addressesIn(shown({ ...cause, kind: 'eviction' }))).toEqual([]);
  });
});

/** What the page has for a Machine with this cause alone. */
const shown = (cause: Cause): unknown =>
  Causes({
    explanation: {
      machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'a', uid: 'uid-a' },
      verdict: 'held',
      phases: [],
      causes: [cause],
      endsByItself: { answer: 'unknown', why: '' },
      givenUp: [],
      advice: [],
      later: [],
      unread: [],
      unsure: [],
    } satisfies Explanation,
  });

/** Draws each component, and finds its links. */
function addressesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(addressesIn);
  if (!isValidElement(part)) return [];
  const { type } = part;
  const props: { href?: string; children?: unknown } = part.props;
  if (typeof type === 'function') return addressesIn(Reflect.apply(type, undefined, [props]));
  return [...(type === 'a' ? [String(props.href)] : []), ...addressesIn(props.children)];
}
