import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { type Phase, phases } from '../../shared/machine/phase.ts';
import { aFailingCluster, type FailingCluster, phaseOf, until } from './stage/cluster.ts';
import { problemsOf, started } from './stage/started.ts';

const worker = 'worker-1';

/** A phase may be over before anybody sees that it has begun. */
function hasReached({ cluster }: FailingCluster, phase: Phase): boolean {
  const current = phaseOf(cluster, worker);
  if (current === undefined) return phase !== phases[0];
  return phases.indexOf(current) >= phases.indexOf(phase);
}

// Nearly all that they do is wait, so they do it at the same time.
describe.concurrent('phaseout as a process of its own', { timeout: 480_000 }, () => {
  test('killed again and again and started again, it finishes what was begun', async (context) => {
    const stage = await aFailingCluster(context);
    stage.ask(worker);
    for (const phase of ['drain', 'volume-detach', 'infrastructure'] as const) {
      const running = started(context, stage);
      await until(() => hasReached(stage, phase));
      running.process.kill('SIGKILL');
      expect(await running.ended).toBe('SIGKILL');
    }
    started(context, stage);
    await stage.untilGone(worker);
    expect(problemsOf(stage)).toEqual([]);
  });

  // The record of a run on a cluster goes with its process.
  test('what it had evicted when it was killed is told by the next one', async (context) => {
    const stage = await aFailingCluster(context);
    const { cluster } = stage;
    const onNode = () => cluster.list('pods', { fieldSelector: `spec.nodeName=${worker}` });
    const slowly = { metadata: { annotations: { 'local.phaseout.dev/stop-seconds': '15' } } };
    for (const pod of onNode()) cluster.patch('pods', pod, slowly);
    const first = started(context, stage);
    stage.ask(worker);
    await until(() => stage.witness.evictions > 0);
    first.process.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    const evicted = onNode().filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    expect(evicted.length).toBeGreaterThan(0);
    const next = started(context, stage);
    const isTold = ({ metadata: { namespace, name } }: KubeObject): boolean =>
      next.written.stdout.includes(` evicted=${namespace}/${name}\n`);
    await until(() => evicted.every(isTold));
    expect(problemsOf(stage)).toEqual([]);
  });

  test('asked to end in mid-drain it ends well, and another one goes on', async (context) => {
    const stage = await aFailingCluster(context);
    const first = started(context, stage);
    stage.ask(worker);
    await until(() => stage.witness.evictions > 0);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.written.stderr).toBe('');
    started(context, stage);
    await stage.untilGone(worker);
    expect(problemsOf(stage)).toEqual([]);
  });
});
