import { expect, test } from 'vitest';
import { errorsAreToldOnce } from './errors-are-told-once.ts';
import { openStage, type Stage } from './stage.ts';

function say(stage: Stage, message: string, { reason = 'DrainingFailed', resource = 'machines' } = {}): void {
  const { namespace = '', name } = stage.machine().metadata;
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const said = { type: 'DrainingSucceeded', status: 'False', reason, severity: 'Warning', message };
  const conditions = [{ ...said, lastTransitionTime }];
  const asked = { verb: 'patch', resource: `${resource}.cluster.x-k8s.io/status`, namespace, name };
  const status = { deprecated: { v1beta1: { conditions } } };
  stage.ask(
    { instance: 'instance-1', ...asked },
    () =>
      void stage.world.management.patch('machines.cluster.x-k8s.io', stage.machine(), { status }, 'status'),
  );
}

test('an error that differs in numbers alone is told once', async () => {
  const stage = await openStage(errorsAreToldOnce);
  say(stage, 'reset from port 1');
  expect(stage.cries).toEqual([]);
  say(stage, 'reset from port 2');
  expect(stage.cries).toEqual(['instance-1 tells again: reset from port 2']);
});

test.each<[string, (stage: Stage) => void]>([
  ['the same', (stage) => say(stage, 'reset from port 1')],
  ['another error', (stage) => say(stage, 'refused at port 1')],
  [
    'the error of another server',
    (stage) => {
      say(stage, 'reset by blue-1');
      say(stage, 'reset by blue-2');
    },
  ],
  ['no error', (stage) => say(stage, 'reset from port 2', { reason: 'Draining' })],
  ['something of another object', (stage) => say(stage, 'reset from port 2', { resource: 'machinesets' })],
])('who tells %s may', async (_what, next) => {
  const stage = await openStage(errorsAreToldOnce);
  say(stage, 'reset from port 1');
  next(stage);
  expect(stage.cries).toEqual([]);
});
