import { expect, test } from 'vitest';
import { readCloudEvent } from '../../../shared/http/cloud-events/cloud-event.ts';

const binary = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/s', 'ce-type': 'dev.test' };
const body = new TextEncoder().encode('{"a":1}');

// CloudEvents' HTTP binding has the header Content-Type for it, and forbids one that begins with ce-.
test.each<[what: string, headers: Record<string, string>, type: string | undefined]>([
  ['without a content type is of none', {}, undefined],
  ['is of its content type', { 'content-type': 'application/json' }, 'application/json'],
])('an event in binary mode %s, whatever another header says', (_what, headers, type) => {
  const event = readCloudEvent({ ...binary, ...headers, 'ce-datacontenttype': 'text/xml' }, body);
  expect(event.datacontenttype).toBe(type);
  expect(event.data).toEqual({ a: 1 });
});
