import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { Outside } from '../../terminal/outside.ts';
import { lookerOver } from '../look/looker-over.ts';
import { kubeconfigPath } from '../run/kubeconfig-file.ts';
import type { Stage } from '../run/stage.ts';
import { openPage } from './open-page.ts';

/**
 * Serves the page of the local platform, with the history of its own store; answers with its address. What it reads is not
 * counted with what the functions ask for. Undefined where the cluster is a real one.
 */
export async function openLocalPage(
  { host, subject, kubeconfig }: Pick<Stage, 'host' | 'subject' | 'kubeconfig'>,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<string | undefined> {
  if (kubeconfig === undefined) return undefined;
  const kubeConfig = loadKubeConfig({ text: kubeconfig });
  const looker = lookerOver({ kubeConfig, goesOnWithout: 'unavailable' }, outside, closing);
  // The file that `--serve` writes leads there.
  const source = { kind: 'cluster', kubeconfig: kubeconfigPath, context: undefined } as const;
  const { records } = host;
  const recordsOf = async (uid: string) => {
    const [history, pods] = await Promise.all([records.history(uid), records.podRecords(uid)]);
    return { history, pods, unread: [] };
  };
  return openPage(looker, { subject, recordsOf, source }, outside, closing);
}
