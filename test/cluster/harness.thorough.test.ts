import { describe, expect, test } from 'vitest';
import { conformance } from './conformance.ts';
import { aServer, outcomesOf, refusalOf } from './harness-stage.ts';
import { readOptions } from './options.ts';

// Nearly all that they do is wait, so they do it at the same time.
describe.concurrent('the harness, on an API server in this process', { timeout: 120_000 }, () => {
  test('a story is told in both ways, nothing is forbidden to a ServiceAccount, and nothing is left', async (context) => {
    const { outside, audit, left } = await aServer(context);
    const options = readOptions(['--only', 'control-plane', '--timeout', '100']);
    const results = await conformance(options, outside);
    expect(outcomesOf(results)).toEqual([
      'run control-plane passed',
      'manifests control-plane passed',
      'clean-up passed',
    ]);
    const accounts = audit.filter(({ user }) => user.startsWith('system:serviceaccount:phaseout-test-abcde'));
    expect(accounts.filter(({ decision }) => decision === 'forbid')).toEqual([]);
    expect([...new Set(accounts.map(({ user }) => user.split(':').slice(2).join(':')))].toSorted()).toEqual([
      'phaseout-test-abcde-workload:phaseout',
      'phaseout-test-abcde:phaseout',
      'phaseout-test-abcde:phaseout-run',
      'phaseout-test-abcde:phaseout-sources',
    ]);
    expect(left()).toEqual([]);
  });

  test('interrupted in the middle of it, it takes everything away and tells no further story', async (context) => {
    const { outside, apiServer, interrupt, left } = await aServer(context);
    const stop = apiServer.cluster.watch('pods', ({ type }) => {
      if (type === 'ADDED') interrupt();
    });
    context.onTestFinished(stop);
    const options = readOptions(['--only', 'late-hook', '--way', 'run']);
    expect(await refusalOf(conformance(options, outside))).toBe('interrupted');
    expect(left()).toEqual([]);
  });
});
