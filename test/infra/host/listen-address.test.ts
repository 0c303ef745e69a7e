import { request } from 'undici';
import { expect, test } from 'vitest';
import { anApiDoor, running } from './running.ts';

// This process listens on the first local address alone. A listener on all of them would be on those of the network,
// too.
test('a process listens on the address that it is given, and on no other', async (context) => {
  const { kubeconfig } = await anApiDoor(context);
  const env = {
    PHASEOUT_LISTEN_ADDRESS: '127.0.0.1',
    PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    PHASEOUT_MACHINE_APIS: 'capi',
    KUBECONFIG: kubeconfig,
  };
  const { port } = new URL(await running(context, { env }).url());
  const answer = await request(`http://127.0.0.1:${port}/health/liveness`);
  expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'alive']);
  await expect(request(`http://127.0.0.2:${port}/health/liveness`)).rejects.toThrow('ECONNREFUSED');
});
