import { describe, expect, it } from 'vitest';
import { type AllTold, readAll } from './readers/read-all.ts';
import { rules } from './readers/rules.ts';
import { changedWorlds, exampleWorlds, fieldWorlds, pausedWorlds, recordedWorlds } from './readers/worlds.ts';

// What one reader says of a deletion every other one says: who holds it, why, with which numbers, and until when.

describe.each([...fieldWorlds, ...changedWorlds, ...pausedWorlds, ...exampleWorlds, ...recordedWorlds])(
  '$name',
  (world) => {
    let told: Promise<AllTold> | undefined;

    it.each(rules)('%s', async (_what, compared) => {
      told ??= readAll(world);
      const [one, other] = compared(await told);
      expect(one).toEqual(other);
    });
  },
);
