import { describe, expect, it } from 'vitest';
import { playMany } from './many.ts';
import { readOptions } from './options.ts';
import { replayOf } from './tell-many.ts';

const options = readOptions(['--seeds', '4', '--from', '11'], 2, []);

describe('many seeds', () => {
  it('are all played, whoever of the workers plays them, and added up', { timeout: 60_000 }, async () => {
    const reports: number[] = [];
    const total = await playMany(options, ({ seeds }) => reports.push(seeds));
    expect(total).toMatchObject({ seeds: 4, violations: [] });
    expect(total.steps).toBeGreaterThan(400);
    expect(total.coverage.effects['patch machines.cluster.x-k8s.io']).toBeGreaterThan(0);
    expect(reports.at(-1)).toBe(4);
  });
});

describe('the command that tells of a seed', () => {
  it.each([
    { limits: { only: undefined, without: [] }, command: 'npm run simulate -- --seed 7' },
    { limits: { only: ['a', 'b'], without: [] }, command: 'npm run simulate -- --seed 7 --only a,b' },
    { limits: { only: undefined, without: ['c'] }, command: 'npm run simulate -- --seed 7 --without c' },
  ])('has the same faults strike: $command', ({ limits, command }) => {
    expect(replayOf(7, limits)).toBe(command);
  });
});
