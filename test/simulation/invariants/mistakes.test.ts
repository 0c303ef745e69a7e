import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { noErrorsLogged, storeUnderstandsUs } from './no-mistakes-of-ours.ts';
import { openStage } from './stage.ts';

test('an error in the log is a mistake', async () => {
  const stage = await openStage(noErrorsLogged);
  stage.observer.logged?.('instance-1', 'warn', 'Something is slow', {});
  expect(stage.cries).toEqual([]);
  stage.observer.logged?.('instance-1', 'error', 'Something broke', { why: 'x' });
  expect(stage.cries).toEqual(['instance-1 logs ERROR: Something broke (why: x)']);
});

test('what the store refuses as wrong is a mistake', async () => {
  const stage = await openStage(storeUnderstandsUs);
  const asked = new DeleteItemCommand({ TableName: 'phaseout', Key: { nobody: { S: 'knows' } } });
  expect(() => stage.world.table.answer(asked)).toThrow('was not given a value');
  stage.observer.ended?.();
  expect(stage.cries).toEqual(['ValidationException: One of the required keys was not given a value: pk']);
});
