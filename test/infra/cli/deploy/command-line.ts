import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { main } from '../../../../infra/cli/main.ts';
import { anOutside } from '../outside.ts';
import { aCluster, type ClusterOptions } from './knative-cluster.ts';

export const image = ['--image', 'example.com/phaseout:1', '--set', 'AWS_REGION=eu-central-1'];

/** Leads nowhere: no process listens there. */
export const nowhere = 'http://127.0.0.1:1';

/** Runs command lines against a cluster, each to its end. */
export async function aCommandLine(how: ClusterOptions = {}) {
  const cluster = await aCluster({ peer: true, ...how });
  async function start(args: readonly string[], { isInterrupted = false, text = cluster.kubeconfig } = {}) {
    const { outside, written, folder, interrupt } = await anOutside();
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, text);
    const running = main(args, { ...outside, env: { KUBECONFIG: kubeconfig } });
    if (isInterrupted) interrupt();
    const code = await running;
    return { code, ...written, lines: written.stdout.trimEnd().split('\n') };
  }
  return {
    cluster,
    api: cluster.cluster,
    run: (...args: string[]) => start(args),
    interrupted: (...args: string[]) => start(args, { isInterrupted: true }),
    /** KUBECONFIG names a file with this text. */
    runWith: (text: string, ...args: string[]) => start(args, { text }),
  };
}
