import { describe, expect, test } from 'vitest';
import type { Invariant } from './invariant.ts';
import { openStage, type Stage } from './stage.ts';

/** Something that is done before the eyes of one invariant. */
interface Case {
  about: string;
  invariant: Invariant;
  /** What it cries; nothing where all is well. */
  cries?: string;
  /** What is so, and seen by an instance, before it acts. */
  before?: (stage: Stage) => void | Promise<void>;
  act: (stage: Stage) => void | Promise<void>;
}

/** A test for each case, by invariants. */
export function testsOf(cases: readonly Case[]): void {
  describe.each(Object.entries(Object.groupBy(cases, ({ invariant }) => invariant.name)))(
    '%s:',
    (_name, own = []) => {
      test.each(own)('$about', async ({ invariant, cries, before, act }) => {
        const stage = await openStage(invariant);
        if (before !== undefined) await seen(stage, before);
        await act(stage);
        expect(stage.cries).toEqual(cries === undefined ? [] : [cries]);
      });
    },
  );
}

async function seen(stage: Stage, before: NonNullable<Case['before']>): Promise<void> {
  await before(stage);
  await stage.pass(10);
  stage.look();
}
