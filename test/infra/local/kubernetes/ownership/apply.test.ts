import { describe, expect, it } from 'vitest';
import { applied, apply, aServer, aWidget, path, widgetIn, widgets } from './stage.ts';

it('changes nothing, nor its owners, when it is only tried', () => {
  const server = aServer();
  apply(server, { color: 'red' });
  const before = widgetIn(server);
  expect(apply(server, { color: 'blue' }, { by: 'you', force: true, dryRun: true })).toBe('200');
  expect(widgetIn(server)).toBe(before);
  expect(apply(server, { color: 'green' })).toBe('200');
});

it('writes nothing when all is as it was', () => {
  const server = aServer();
  apply(server, { color: 'red', parts: [{ name: 'a' }] });
  const before = widgetIn(server);
  expect(apply(server, { color: 'red', parts: [{ name: 'a' }] })).toBe('200');
  expect(widgetIn(server)).toBe(before);
});

it('begins anew with an object that is made again', () => {
  const server = aServer();
  apply(server, { color: 'red' });
  server.cluster.remove(widgets, widgetIn(server));
  expect(apply(server, { color: 'blue' }, { by: 'you' })).toBe('201');
});

it('of the status leaves all else alone, and the other way round', () => {
  const server = aServer();
  apply(server, { color: 'red' });
  const status = { ...aWidget({ color: 'blue' }), status: { phase: 'Ready' } };
  expect(applied(server, status, { by: 'you', at: `${path}/status` })).toBe('200');
  expect(applied(server, { ...aWidget({ color: 'red' }), status: { phase: 'Odd' } })).toBe('200');
  expect(widgetIn(server)).toMatchObject({ spec: { color: 'red' }, status: { phase: 'Ready' } });
});

describe('what it is', () => {
  it.each<[string, object, string]>([
    ['a field that no schema declares', { nope: 1 }, '.spec.nope: field not declared in schema'],
    ['another type', { color: 1 }, '.spec.color: expected string, got &value.valueUnstructured{Value:1}'],
    [
      'a list for a map',
      { labels: ['a'] },
      '.spec.labels: expected map, got &value.valueUnstructured{Value:["a"]}',
    ],
    [
      'what is wrong within a list',
      { parts: [{ name: 'a', odd: 1 }] },
      '.spec.parts[0].odd: field not declared in schema',
    ],
  ])('must fit the schema: %s', (_, spec, why) => {
    const refusal = `failed to create typed patch object (/w; example.com/v1, Kind=Widget): ${why}`;
    expect(apply(aServer(), spec)).toBe(`500 ${refusal}`);
  });
});
