import { describe, expect, test } from 'vitest';
import { aFailingCluster, phaseOf, until } from '../../endurance/stage/cluster.ts';
import { type HostProcess, hostProcess, surroundings } from '../../endurance/stage/host.ts';

const worker = 'worker-1';
/** Nearly all of it is for machines that are busy with other things. */
const timeout = 120_000;

/** The function and the status of each request that it answered after it was asked to end. */
function answeredAtTheEnd(process: HostProcess): [unknown, unknown][] {
  const lines = process.lines();
  const rest = lines.slice(lines.findIndex(({ msg }) => msg === 'Stopping'));
  return rest.filter(({ msg }) => msg === 'request').map((line) => [line['function'], line['status']]);
}

describe('the functions as a process', { timeout }, () => {
  test('told to end in the midst of a step it finishes that, and another one goes on', async (context) => {
    const stage = await aFailingCluster(context);
    const { env, activator } = await surroundings(context, stage);
    const [first, second] = [hostProcess(context, env), hostProcess(context, env)];
    const [firstUrl, secondUrl] = await Promise.all([first.ready(), second.ready()]);
    activator.instance = firstUrl;
    stage.front.latencyMilliseconds = 100;
    stage.ask(worker);
    // The answer to the eviction is still on its way.
    await until(() => stage.witness.evictions > 0, 60_000);
    first.process.kill('SIGTERM');
    activator.instance = undefined;
    expect(await first.ended).toBe(0);
    expect(first.lines().find(({ msg }) => msg === 'Draining Node')).toMatchObject({
      function: 'pre-drain',
      request: expect.any(String),
      Machine: 'fleet/worker-1',
      phase: 'drain',
      Node: 'worker-1',
    });
    expect(answeredAtTheEnd(first)).toContainEqual(['pre-drain', 204]);
    expect(first.lines().at(-1)).toMatchObject({ msg: 'Stopped' });
    expect(phaseOf(stage.cluster, worker)).toBe('drain');
    stage.front.latencyMilliseconds = 0;
    activator.instance = secondUrl;
    await stage.untilGone(worker);
    expect(stage.witness.problems).toEqual([]);
    expect(stage.witness.evictedTwice()).toEqual([]);
  });
});
