import { alwaysThere } from './reasons/always-there.ts';
import { askedNothing } from './reasons/asked-nothing.ts';
import { neverAbsent } from './reasons/never-absent.ts';
import { noneOrUndefined } from './reasons/none-or-undefined.ts';
import type { Reason } from './reasons/reason.ts';
import { sameOutcome } from './reasons/same-outcome.ts';
import { singleReasons } from './reasons/single-reasons.ts';
import { whatIsLeft } from './reasons/what-is-left.ts';
import type { Explained } from './survivors.ts';

const fallbacks: Reason = {
  because: 'it is never absent, and the fallback only for the type',
  changes: neverAbsent.map(([file, line]) => [file, line, "''", '"Stryker was here!"']),
};

const kinds: Reason = {
  because: 'whoever reads it asks for the other kinds, and takes this one for what is left',
  changes: whatIsLeft.map(([file, line, kind]) => [file, line, kind, '""']),
};

/** Survivors that make no difference to anyone, each with the reason. What makes one gets a test instead. */
export const explained: readonly Explained[] = [
  fallbacks,
  kinds,
  ...alwaysThere,
  ...askedNothing,
  ...noneOrUndefined,
  ...sameOutcome,
  ...singleReasons,
].flatMap(({ because, changes }) =>
  changes.map(([file, line, from, to]) => ({ file, line, from, to, because })),
);
