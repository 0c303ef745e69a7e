import { expect, onTestFinished, test } from 'vitest';
import { logForbidden, openFunctions } from '../../../infra/host/open-functions.ts';
import { createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../infra/local/kubernetes/server/http.ts';
import { kubeconfigFor } from '../../../infra/local/load/kubeconfigs.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes, pods } from '../../../shared/kubernetes/resources.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { systemClock as clock } from '../../../shared/time/clock.ts';
import { logLines } from '../../shared/http/log-lines.ts';

const said = (message: string, lines: Record<string, unknown>[]): unknown[] =>
  lines
    .filter((line) => line['msg'] === message)
    .map(({ verb, resource, cluster }) => ({ verb, resource, cluster }));

test('what is not permitted is said once, also where nothing fails without it', async () => {
  const { lines, log } = logLines();
  const access = { users: { local: { name: 'nobody', groups: [] } } };
  const listening = await listen(createApiServer({ clock, access }));
  onTestFinished(() => listening.close());
  const kubeConfig = loadKubeConfig({ text: kubeconfigFor(listening.url) });
  const store = createMemoryStore(clock);
  const config = readConfig({});
  const functions = openFunctions({ kubeConfig, store, clock, random: () => 0, log, config, name: 'test' });
  onTestFinished(() => functions.close());
  const { management } = functions;
  for (let time = 0; time < 2; time += 1) {
    await new Promise<boolean>((resolve) => {
      management.watch(pods, {}, '0', { changed: () => undefined, ended: resolve });
    });
    await expect(management.get(nodes, { name: 'node-1' })).rejects.toThrow(Unavailable);
  }
  expect(said('Request was forbidden', lines)).toEqual([
    { verb: 'watch', resource: 'pods', cluster: 'management' },
    { verb: 'get', resource: 'nodes', cluster: 'management' },
  ]);
});

test.each([0, 200, 401, 404, 409, 500])('nothing of the kind is said of an answer %i', (code) => {
  const { lines, log } = logLines();
  logForbidden(log, 'management', { verb: 'get', resource: 'nodes', code, milliseconds: 1 });
  expect(lines).toEqual([]);
});
