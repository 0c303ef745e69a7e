import { describe, expect, test } from 'vitest';
import { aFailingCluster, phaseOf, until } from '../../endurance/stage/cluster.ts';
import { type HostProcess, hostProcess, surroundings } from '../../endurance/stage/host.ts';

const worker = 'worker-1';

/** What it was about and how it was answered, of each request that was answered after it was told to end. */
function answeredAtTheEnd(process: HostProcess): [unknown, unknown][] {
  const lines = process.lines();
  const rest = lines.slice(lines.findIndex(({ msg }) => msg === 'Stopping'));
  return rest.filter(({ msg }) => msg === 'request').map((line) => [line['function'], line['status']]);
}

describe('the functions as a process', { timeout: 45_000 }, () => {
  test('told to end in the midst of a step it finishes that, and another one goes on', async (context) => {
    const stage = await aFailingCluster(context);
    const { env, activator } = await surroundings(context, stage);
    const first = hostProcess(context, env);
    activator.instance = await first.ready();
    stage.front.latencyMilliseconds = 100;
    stage.ask(worker);
    // The answer to the eviction is still on its way.
    await until(() => stage.witness.evictions > 0);
    first.process.kill('SIGTERM');
    activator.instance = undefined;
    expect(await first.ended).toBe(0);
    expect(answeredAtTheEnd(first)).toContainEqual(['drain', 204]);
    expect(first.lines().at(-1)).toMatchObject({ msg: 'Stopped' });
    expect(phaseOf(stage.cluster, worker)).toBe('drain');
    stage.front.latencyMilliseconds = 0;
    activator.instance = await hostProcess(context, env).ready();
    await stage.untilGone(worker);
    expect(stage.witness.problems).toEqual([]);
    expect(stage.witness.evictedTwice()).toEqual([]);
  });
});
