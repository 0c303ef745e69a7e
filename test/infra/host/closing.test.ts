import { once } from 'node:events';
import { type IncomingMessage, request as slowly } from 'node:http';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { CloudEvent } from '../../../events/envelope.ts';
import { startServer } from '../../../infra/host/start-server.ts';
import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../infra/local/kubernetes/server/http.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { until } from '../../endurance/stage/cluster.ts';
import { time } from '../../events/examples.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { logLines } from '../../shared/http/log-lines.ts';
import { aKubeconfig } from './running.ts';

const post = (url: string, event: CloudEvent) => request(url, { method: 'POST', ...toBinary(event) });

/** Its Cluster is missing: the step waits for a mere time, and a wake-up is kept for it. */
test('closed, it begins nothing by itself any more, however long a request in flight takes', async (context) => {
  const api = createApiServer({ clock: systemClock });
  for (const one of clusterApiDefinitions())
    api.cluster.create('customresourcedefinitions.apiextensions.k8s.io', one);
  const { metadata, spec } = aRawMachine();
  const { name, namespace = '', finalizers = [] } = metadata;
  const created = api.cluster.create('machines.cluster.x-k8s.io', {
    metadata: { name, namespace, finalizers },
    spec,
  });
  api.cluster.remove('machines.cluster.x-k8s.io', created);
  const listening = await listen(api);
  context.onTestFinished(() => listening.close());
  const machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    namespace,
    name,
    uid: created.metadata.uid ?? '',
  };
  const env = {
    PORT: '0',
    PHASEOUT_LISTEN_ADDRESS: '127.0.0.1',
    PHASEOUT_MACHINE_APIS: 'capi',
    PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    KUBECONFIG: await aKubeconfig(context, listening.url),
  };
  const clock = manualClock();
  const { log, lines } = logLines();
  const around = { env, clock, random: () => 0, hostname: 'test', log };
  const server = await startServer({ ...around, config: readConfig(env) });
  const looks = () => lines.filter(({ msg }) => msg === 'Machine could not be looked at').length;
  const command = advance({ machine, phase: 'drain', seq: 0 }, time);
  await (await post(`${server.url}/drain`, command)).body.dump();
  expect(looks()).toBe(1);

  const { headers, body } = toBinary(command);
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const coming = slowly(`${server.url}/drain`, { method: 'POST', headers: { ...headers, ...length } });
  const answered = once(coming, 'response');
  coming.write(body.slice(0, 10));
  await until(() => server.unfinished() !== undefined, 2_000);
  const closing = server.close();
  // The awaited time has come. A process that ends leaves the look to the next tick.
  await clock.advance(9_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(looks()).toBe(1);
  coming.end(body.slice(10));
  const [answer]: IncomingMessage[] = await answered;
  answer?.resume();
  await closing;
});
