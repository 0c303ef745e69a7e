import { expect, test } from 'vitest';
import { operations, pathOf } from '../../../shared/actuator/contract.ts';
import { noActuator } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

test('each operation has its path', () => {
  expect(operations.map(pathOf)).toEqual(['/v1/exists', '/v1/create', '/v1/update', '/v1/delete']);
});

test.each(operations)('where no provider is configured nothing can be asked: %s', async (operation) => {
  const target = { machine: { metadata: { name: 'm-1' } }, cluster: undefined };
  const asked = noActuator[operation](target);
  await expect(asked).rejects.toBeInstanceOf(Unavailable);
  await expect(asked).rejects.toThrow(
    'no provider is configured: PHASEOUT_ACTUATOR_URL says where the servers are kept',
  );
});
