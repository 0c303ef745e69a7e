import { expect, test } from 'vitest';
import { asMeasured, played } from './played.ts';

/*
 * The order of events decides. Cluster API may write before a checkpoint; a list of VolumeAttachments is shared or not.
 * The most is that of one seed with 2 % more.
 */
test.each([
  { machines: 50, mode: 'replace', ours: 2_035, theirs: 0 },
  { machines: 200, mode: 'beside', ours: 5_880, theirs: 5_100 },
  { machines: 200, mode: 'replace', ours: 8_450, theirs: 0 },
] as const)('$machines x 20, $mode, takes at most $ours requests', async ({ ours, theirs, ...given }) => {
  const { result, complaints } = await played({ ...asMeasured, ...given, scenario: 'fleet', pods: 20 });

  expect([complaints, result.left, result.givenUp]).toEqual([[], 0, 0]);
  expect(result.requests).toBeLessThanOrEqual(ours);
  expect(result.theirs).toBeLessThanOrEqual(theirs);
});
