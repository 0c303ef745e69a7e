import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../infra/local/kubernetes/authorization/access.ts';
import * as port from '../../shared/kubernetes/resources.ts';
import { allGranted, isUsed, type Way } from './permissions/granted.ts';
import { playAll } from './permissions/scenes.ts';

let asked: Record<Way, AuditEntry[]>;

// What is asked without a permission ends these and all other stories.
beforeAll(async () => {
  asked = await playAll();
}, 60_000);

describe('what serverless.yml permits, somebody asks', () => {
  test.each(allGranted)('line $line: for $way the $side $verb $resource of "$group"', (granted) => {
    const { line, verb, way } = granted;
    const hint = `take "${verb}" out of serverless.yml, line ${line}, or let a story of ${way} need it`;
    expect(isUsed(granted, asked[way]) ? [] : [hint]).toEqual([]);
  });
});

/** The kinds that the core names by itself, whether or not a story comes upon them. */
const named = Object.entries(port).flatMap(([name, value]) =>
  typeof value === 'object' && 'plural' in value ? [{ name, ...value }] : [],
);

describe('what the core has a name for, serverless.yml permits', () => {
  test.each(named)('$name', ({ group, plural }) => {
    const found = allGranted.filter((granted) => granted.group === group && granted.resource === plural);
    expect(found).not.toEqual([]);
  });

  test('and the names were found', () => {
    expect(named.map(({ plural }) => plural)).toContain('volumeattachments');
  });
});

test('Secrets are asked for by their names, and by no other user than the functions', () => {
  const onSecrets = Object.values(asked)
    .flat()
    .filter(({ resource }) => resource === 'secrets');
  expect(new Set(onSecrets.map(({ user, verb }) => `${user} ${verb}`))).toEqual(
    new Set(['system:serviceaccount:phaseout:phaseout get']),
  );
});
