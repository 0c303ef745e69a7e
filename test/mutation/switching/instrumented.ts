import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import type { Hits } from './messages.ts';

/** What sources instrumented by Stryker read and write. */
export interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
}

const name = INSTRUMENTER_CONSTANTS.NAMESPACE;

/** The first to come makes it, a source or we. */
export function instrumented(): Instrumented {
  const known: Instrumented | undefined = Reflect.get(globalThis, name);
  if (known) return known;
  const made = {};
  Reflect.set(globalThis, name, made);
  return made;
}
