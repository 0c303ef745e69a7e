import { expect, test } from 'vitest';
import { handlersOf } from '../../../infra/host/handlers.ts';
import { createApp } from '../../../shared/runtime/http/app.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { aWorld } from '../../builders/world.ts';
import { aRawMachine } from '../../shared/dialects/capi/machines.ts';

/** What the intake answers to a change of a Machine, from a broker. */
async function answered(change: 'add' | 'update' | 'delete', data: object) {
  const { env } = aWorld();
  const handlers = handlersOf(env, async () => []);
  const app = createApp(
    { '/intake': handlers['intake']! },
    { clock: env.clock, log, requestTimeoutSeconds: 5 },
  );
  const headers = {
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-source': 'https://10.96.0.1:443',
    'ce-type': `dev.knative.apiserver.resource.${change}`,
    prefer: 'reply',
  };
  const readBody = async () => new TextEncoder().encode(JSON.stringify(data));
  const { status, headers: said } = await app({ method: 'POST', path: '/intake', headers, readBody });
  return { status, reply: said['ce-type'] };
}

test.each(['add', 'update'] as const)('a deletion that an %s tells of is looked at', async (change) => {
  const reply = 'dev.phaseout.deletion.advance.v1';
  expect(await answered(change, aRawMachine())).toEqual({ status: 200, reply });
});

test('what is gone, or has left a selection, is nothing to act on', async () => {
  expect(await answered('delete', aRawMachine())).toEqual({ status: 204, reply: undefined });
});

test('a Machine that cannot be read is not delivered again', async () => {
  const machine = aRawMachine({ spec: { clusterName: 7 } });
  expect((await answered('update', machine)).status).toBe(400);
});
