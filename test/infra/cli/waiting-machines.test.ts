import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { readManifests } from '../../../infra/terminal/manifests.ts';
import { aDump, aMachine } from '../../builders/dump.ts';
import { anOutside } from './outside.ts';
import { quickClock } from './quick-clock.ts';

const annotations = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': 'somebody' };
const aWaitingMachine = (_: unknown, index: number) =>
  aMachine(`m-${index}`, { metadata: { deletionTimestamp: '2026-01-02T00:00:00Z', annotations } });

it('a hundred that wait for a minute on a cluster share one watch, and none of them is asked for', async () => {
  const clock = quickClock(8);
  const { outside, written, folder, interrupt } = await anOutside({ clock });
  const dump = await aDump(folder, Array.from({ length: 100 }, aWaitingMachine));
  const api = await startLocalApi({ manifests: await readManifests([dump]), clock, random: Math.random });
  onTestFinished(() => api.close());
  const file = join(folder, 'kubeconfig');
  await writeFile(file, api.kubeconfig);

  const running = main(['run', '--kubeconfig', file], outside);
  await new Promise<void>((resolve) => void clock.after(60_000, resolve));
  const served = api.apiServer.requests();
  interrupt();
  expect(await running).toBe(0);
  expect(written.stdout.match(/ waits=WaitingForPreDrainHook /g)).toHaveLength(100);
  const count = (verb: string): number | undefined =>
    served.find((one) => one.verb === verb && one.resource === 'machines.cluster.x-k8s.io')?.count;
  expect({ get: count('get'), watch: count('watch') }).toEqual({ get: undefined, watch: 1 });
});
