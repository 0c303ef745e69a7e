import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { WatchedApi } from '../../../../infra/local/eventing/follow-changes.ts';
import { openEventing } from '../../../../infra/local/eventing/open-eventing.ts';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { readServerless } from '../../../../infra/serverless/read.ts';
import { toBinary } from '../../../../shared/http/cloud-events/cloud-event.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { examples } from '../../../events/examples.ts';
import { type Answers, good, serving } from '../../cli/hook/functions.ts';

const written = `service: test
provider:
  name: knative
  namespace: phaseout
  serviceAccountName: test
  broker: { name: phaseout }
  scaling: { minScale: 0, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60 }
functions:
  hear:
    handler: functions/hear.ts
    service: hear
    events:
      - trigger:
          filter: { attributes: { type: dev.phaseout.hook.answer.v1 } }
  dead-letter:
    handler: functions/dead-letter.ts
    service: hear
    events:
      - deadLetter: {}
`;

const unwatched = (): never => {
  throw new Error('nothing is watched');
};
const api: WatchedApi = { list: unwatched, watch: unwatched };

/** A Broker with a hook's function; what comes back to the functions of phaseout. */
async function aBrokerWith(answers: Answers) {
  const received: { path: string; type: string; token: string }[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const header = (name: string) => String(request.headers[name]);
    received.push({ path: request.url ?? '', type: header('ce-type'), token: header('ce-answerto') });
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const url = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const reading = readServerless(written);
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  const eventing = await openEventing({
    file: reading.file,
    clock: systemClock,
    random: () => 0,
    serviceUrl: () => url,
    api,
    apiUrl: 'https://nowhere',
    hooks: [{ hook: 'fleet/take-out-osd', url: await serving(answers) }],
  });
  onTestFinished(() => eventing.close());
  const call = toBinary(examples['dev.phaseout.hook.call.v1']);
  const send = async (headers: Record<string, string> = {}) => {
    const init = { method: 'POST', body: call.body, headers: { ...call.headers, ...headers } };
    return (await fetch(eventing.sink, init)).status;
  };
  return { received, send, deadLetters: () => eventing.broker.deadLetters() };
}

const token = examples['dev.phaseout.hook.answer.v1']['answerto'];

test('a call reaches the function of its hook, and the answer comes back', async () => {
  const { received, send, deadLetters } = await aBrokerWith(good);
  expect(await send()).toBe(202);
  await vi.waitFor(() =>
    expect(received).toEqual([{ path: '/hear', type: 'dev.phaseout.hook.answer.v1', token }]),
  );
  expect(deadLetters()).toEqual([]);
});

test('a call of another hook does not', async () => {
  const { received, send } = await aBrokerWith(() => {
    throw new Error('it is not meant');
  });
  expect(await send({ 'ce-hook': 'fleet/other' })).toBe(202);
  expect(received).toEqual([]);
});

test('a call that is refused twice becomes a dead letter, and says of which hook', async () => {
  let tries = 0;
  const { received, send } = await aBrokerWith(() => {
    tries += 1;
    return { status: 503, headers: {}, body: 'no quorum' };
  });
  await send();
  const path = '/dead-letter?type=dev.phaseout.hook.call.v1&hook=fleet%2Ftake-out-osd';
  await vi.waitFor(() => expect(received).toEqual([{ path, type: 'dev.phaseout.hook.call.v1', token }]));
  expect(tries).toBe(2);
});
