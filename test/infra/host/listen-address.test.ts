import { request } from 'undici';
import { expect, test } from 'vitest';
import { anApiDoor, running } from './running.ts';

// Of the local addresses this process is on the first alone: on all of them would be on those of the network as well.
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
