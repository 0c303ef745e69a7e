import { expect, test } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { watchedEndsAreTold } from './watched-ends-are-told.ts';

const modes = {
  watched: { capi: 'observe', openshift: 'observe', v1alpha1: 'observe' },
  beside: { capi: 'beside', openshift: 'beside', v1alpha1: 'replace' },
} as const;

/** m1 is there for so long in the calm, and then gone. */
async function gone(seconds: number, mode: keyof typeof modes = 'watched'): Promise<Stage & { uid: string }> {
  const world = {
    workloads: ['blue'],
    instances: 1,
    config: { mode: modes[mode] },
    latencyMilliseconds: 0,
  };
  const stage = await openStage(watchedEndsAreTold, { world });
  const { uid = '' } = stage.machine().metadata;
  stage.observer.calm?.();
  await stage.pass(seconds * 1_000);
  stage.tell('dev.knative.sources.ping', 'tick', {});
  stage.patchMachine({ metadata: { finalizers: null } });
  await stage.pass(10);
  return { ...stage, uid };
}

const complete = (stage: Stage, uid: string): void =>
  stage.tell('dev.phaseout.deletion.completed.v1', 'a', { machine: { uid } });

function end(stage: Stage): void {
  stage.observer.quiet?.();
  stage.observer.ended?.();
}

test.each([
  ['there for minutes', 'watched', 300, ['that of Machine fleet/m1 is not told']],
  ['there for a minute', 'watched', 60, []],
  ['there for minutes, and it does more than watch', 'beside', 300, []],
] as const)(
  'phaseout tells nothing of the end of a Machine that was %s',
  async (_how, mode, seconds, cries) => {
    const stage = await gone(seconds, mode);
    end(stage);
    expect(stage.cries).toEqual(cries);
  },
);

test('phaseout tells the end', async () => {
  const stage = await gone(300);
  complete(stage, stage.uid);
  end(stage);
  expect(stage.cries).toEqual([]);
});

test('the end of another Machine is no answer', async () => {
  const stage = await gone(300);
  complete(stage, 'another');
  end(stage);
  expect(stage.cries).toEqual(['that of Machine fleet/m1 is not told']);
});
