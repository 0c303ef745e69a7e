import { describe, expect, test } from 'vitest';
import { aFailingCluster, until } from './stage/cluster.ts';
import { problemsOf, started } from './stage/started.ts';

const worker = 'worker-1';

// Nearly all that they do is wait, so they do it at the same time.
describe.concurrent('phaseout as a process of its own, on an API that fails', { timeout: 480_000 }, () => {
  test('an API server that is gone for a while and watches that are cut end no deletion', async (context) => {
    const stage = await aFailingCluster(context);
    const running = started(context, stage);
    const cutting = setInterval(() => stage.front.cutWatches(), 500);
    context.onTestFinished(() => clearInterval(cutting));
    stage.ask(worker);
    await until(() => stage.witness.evictions > 0);
    await stage.front.close();
    await new Promise((resolve) => void setTimeout(resolve, 1_000));
    await stage.front.open();
    await stage.untilGone(worker);
    expect(running.process.exitCode).toBeNull();
    expect(problemsOf(stage)).toEqual([]);
  });

  test('an API server that refuses one request in ten ends no deletion', async (context) => {
    const stage = await aFailingCluster(context);
    started(context, stage);
    await until(() => stage.front.watches > 0);
    let requests = 0;
    stage.front.refusal = () => {
      requests += 1;
      return requests % 10 === 0 ? [429, 500, 503][requests % 3] : undefined;
    };
    stage.ask(worker);
    await stage.untilGone(worker);
    expect(problemsOf(stage)).toEqual([]);
  });
});
