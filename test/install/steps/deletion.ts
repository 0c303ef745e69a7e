import { instances, killInstances, untilAtZero } from '../functions.ts';
import { begin, finish, populate } from '../machines.ts';
import type { Step } from '../step.ts';

export const warm: Step = {
  name: 'deletion',
  text: 'a worker goes: drained before its server is asked to go',
  async play(stage) {
    const scene = await stage.scene('deletion');
    await populate(stage, scene);
    await begin(scene);
    stage.note(`warm: ${await finish(scene)}`);
    scene.chronicle.close();
  },
};

export const zero: Step = {
  name: 'zero',
  text: 'the functions scale to zero, and a deletion wakes them up',
  async play(stage) {
    const scene = await stage.scene('zero');
    await populate(stage, scene);
    const startedAt = stage.site.clock.now();
    await untilAtZero(stage);
    stage.note(`at zero after ${((stage.site.clock.now() - startedAt) / 1_000).toFixed(0)} s`);
    await begin(scene);
    stage.note(`from zero: ${await finish(scene)}`);
    scene.chronicle.close();
  },
};

export const killed: Step = {
  name: 'killed',
  text: 'all instances are killed in mid-drain, and the deletion goes on',
  async play(stage) {
    const scene = await stage.scene('killed');
    const wishes = { slowMilliseconds: 12_000 };
    await populate(stage, scene, wishes);
    await begin(scene);
    await scene.untilSeen('Pod slow asked to go');
    const killing = await stage.until(
      'an instance to kill',
      async () => (await killInstances(stage)) || undefined,
    );
    const startedAt = stage.site.clock.now();
    await stage.until('another instance', async () => (await instances(stage)).length > 0 || undefined);
    const seconds = ((stage.site.clock.now() - startedAt) / 1_000).toFixed(1);
    stage.note(`killed: ${killing} of them, another Pod after ${seconds} s; ${await finish(scene, wishes)}`);
    scene.chronicle.close();
  },
};
