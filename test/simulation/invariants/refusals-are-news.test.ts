import { expect, test } from 'vitest';
import { refusalsAreNews } from './refusals-are-news.ts';
import { openStage, type Stage } from './stage.ts';

function refused(stage: Stage, message: string, name = 'a'): void {
  const pod = { namespace: 'shop', name, uid: `uid of ${name}` };
  const data = { machine: { uid: 'm1' }, pod, cause: 'BudgetExhausted', message };
  stage.tell('dev.phaseout.pod.refused.v1', 'told', data);
}

const cry = 'Pod shop/a: BudgetExhausted: needs 1';

test.each<[string, (stage: Stage) => void, string[]]>([
  ['is no news the second time', (stage) => refused(stage, 'needs 1'), [cry]],
  ['is news with another cause', (stage) => refused(stage, 'needs 2'), []],
  ['is news of another Pod', (stage) => refused(stage, 'needs 1', 'b'), []],
  [
    'may be told again where something goes wrong',
    (stage) => {
      stage.observer.hit?.('store-down', [], undefined);
      refused(stage, 'needs 1');
    },
    [],
  ],
  [
    'may be told by each of several instances',
    (stage) => {
      stage.world.startInstance();
      stage.world.startInstance();
      refused(stage, 'needs 1');
    },
    [],
  ],
])('a refusal %s', async (_what, then, cries) => {
  const stage = await openStage(refusalsAreNews);
  refused(stage, 'needs 1');
  then(stage);
  expect(stage.cries).toEqual(cries);
});
