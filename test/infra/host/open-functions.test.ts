import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { announce } from '../../../events/announce.ts';
import { openFunctions } from '../../../infra/host/open-functions.ts';
import { kubeconfigFor } from '../../../infra/local/kubeconfig.ts';
import { listenLocally } from '../../../infra/local/listen.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { CouldNotLook, nodes } from '../../../shared/kubernetes/port.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { silent as log } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/memory.ts';
import { about, time } from '../../events/examples.ts';

test('closed, the functions first tell what is still to be told, and then ask nobody any more', async () => {
  const taken: unknown[] = [];
  const sink = createServer((request, response) => {
    setTimeout(() => {
      taken.push(request.headers['ce-type']);
      response.writeHead(202).end();
    }, 50);
  });
  onTestFinished(() => sink.close().closeAllConnections());
  const config = readConfig({ K_SINK: await listenLocally(sink) });
  const kubeConfig = loadKubeConfig({ text: kubeconfigFor('http://127.0.0.1:1') });
  const store = createMemoryStore(clock);
  const functions = openFunctions({ kubeConfig, store, clock, random: () => 0, log, config, name: 'test' });
  functions.outbox.tell(announce({ ...about, kind: 'started' }, time));
  await functions.close();
  expect(taken).toEqual(['dev.phaseout.deletion.started.v1']);
  await expect(functions.management.get(nodes, { name: 'node-1' })).rejects.toThrow(CouldNotLook);
});
