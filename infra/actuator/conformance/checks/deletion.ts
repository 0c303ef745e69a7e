import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import type { Bench } from '../bench.ts';
import { type Check, Unmet } from '../check.ts';
import { shown } from '../client.ts';
import { exists, remove, removeToTheEnd, removeUntilGone } from '../verbs.ts';

/** How a server goes. These come last: afterwards there is none. */
export const deletion: readonly Check[] = [
  {
    name: 'delete is taken',
    needsServer: true,
    run: (bench) => withServer(bench, async (machine) => void (await remove(bench, machine))),
  },
  {
    name: 'deleting again, while the server goes, is harmless',
    needsServer: true,
    run: (bench) => withServer(bench, async (machine) => void (await remove(bench, machine))),
  },
  {
    name: 'a delete that was accepted has left nothing behind',
    onlyFor: 'v1alpha1',
    needsServer: true,
    run: (bench) => withServer(bench, (machine) => mustBeFinal(bench, machine)),
  },
  {
    name: 'the server is gone in the end',
    needsServer: true,
    run: (bench) => withServer(bench, (machine) => removeUntilGone(bench, machine)),
  },
  {
    name: 'deleting what is gone is accepted, and it stays gone',
    needsServer: true,
    run: (bench) =>
      withServer(bench, async (machine) => {
        await removeToTheEnd(bench, machine);
        const { is, exchange } = await exists(bench, machine);
        if (is) throw new Unmet('200 {"exists": false}', shown(exchange));
        bench.server = undefined;
      }),
  },
];

async function withServer({ server }: Bench, check: (machine: KubeObject) => Promise<void>): Promise<void> {
  if (server !== undefined) await check(server);
}

/** Nobody asks any further there, while OpenShift asks on until exists is false. */
async function mustBeFinal(bench: Bench, machine: KubeObject): Promise<void> {
  await removeToTheEnd(bench, machine);
  const { is, exchange } = await exists(bench, machine);
  if (is) throw new Unmet('exists to be false once delete was accepted', shown(exchange));
}
