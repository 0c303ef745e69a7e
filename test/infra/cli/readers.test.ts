import { describe, expect, it } from 'vitest';
import { type AllTold, readAll } from './readers/read-all.ts';
import { rules } from './readers/rules.ts';
import {
  changedWorlds,
  describedWorlds,
  exampleWorlds,
  fieldWorlds,
  functionWorlds,
  pausedWorlds,
  recordedWorlds,
} from './readers/worlds.ts';

// All readers agree about a deletion: what holds it, why, with which numbers, and until when.

describe.each([
  ...fieldWorlds,
  ...changedWorlds,
  ...pausedWorlds,
  ...exampleWorlds,
  ...functionWorlds,
  ...describedWorlds,
  ...recordedWorlds,
])('$name', (world) => {
  let told: Promise<AllTold> | undefined;

  it.each(rules)('%s', async (_what, compared) => {
    told ??= readAll(world);
    const [one, other] = compared(await told);
    expect(one).toEqual(other);
  });
});
