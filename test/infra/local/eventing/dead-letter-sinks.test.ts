import { createServer } from 'node:http';
import { expect, test, vi } from 'vitest';
import type { WatchedApi } from '../../../../infra/local/eventing/follow-changes.ts';
import { openEventing } from '../../../../infra/local/eventing/open-eventing.ts';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { readServerless } from '../../../../infra/serverless/read.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const written = (delivery: string) => `service: test
provider:
  name: knative
  namespace: knfacts
  serviceAccountName: test
  broker: { name: broker }
  scaling: { minScale: 0, maxScale: 1, containerConcurrency: 0, timeoutSeconds: 60 }
  ${delivery}
functions:
  drain:
    handler: functions/drain.ts
    service: one
    events:
      - trigger:
          filter: { attributes: { type: t, phase: drain } }
          delivery: { retry: 1 }
  dead-letter:
    handler: functions/dead-letter.ts
    service: one
    events:
      - deadLetter: {}
`;

const unwatched: WatchedApi = { list: vi.fn<WatchedApi['list']>(), watch: vi.fn<WatchedApi['watch']>() };

test.each([
  ['with what the Trigger asks for in its address', '', '/dead-letter?type=t&phase=drain'],
  ['unless another sink is named', "delivery: { deadLetterSink: 'http://127.0.0.1:PORT/mine' }", '/mine'],
])('what a Trigger gives up goes to the function for dead letters, %s', async (_how, delivery, sink) => {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(request.url === '/drain' ? 503 : 204).end();
  });
  const url = await listenLocally(server);
  const reading = readServerless(written(delivery.replace('PORT', new URL(url).port)));
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  const eventing = await openEventing({
    file: reading.file,
    clock: systemClock,
    random: () => 0,
    serviceUrl: () => url,
    api: unwatched,
    apiUrl: url,
  });
  const attributes = { specversion: '1.0', id: 'a', source: '/t', type: 't', phase: 'drain' };
  await eventing.broker.publish({ attributes, data: new Uint8Array() });
  await eventing.close();
  server.close();
  server.closeAllConnections();
  expect(paths).toEqual(['/drain', '/drain', sink]);
});
