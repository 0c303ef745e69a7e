import { transportTo } from '../../shared/adapters/kubernetes/connect.ts';
import { connectTools, type KubernetesForTools } from '../../shared/adapters/kubernetes/install-client.ts';
import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Clock } from '../../shared/time/clock.ts';

/** The label that marks every object of one run in the cluster. Its value is the run's name. */
export const testLabel = 'phaseout.dev/test';

interface Asking {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: string;
  body?: unknown;
}

interface Answered {
  code: number;
  body: unknown;
}

/** The API server, as the one who runs this. */
export interface Site {
  kubeConfig: KubeConfig;
  /** Address of the API server. */
  server: string;
  kubernetes: KubernetesForTools;
  /** For what the port has no word for. Any answer is a value; throws Unavailable when there is none. */
  ask: (asking: Asking) => Promise<Answered>;
  clock: Clock;
  interrupted: AbortSignal;
  close(): Promise<void>;
}

const requestTimeoutSeconds = 30;

export function openSite(
  kubeConfig: KubeConfig,
  { clock, interrupted }: Pick<Site, 'clock' | 'interrupted'>,
): Site {
  const options = { clock, requestTimeoutSeconds, userAgent: 'phaseout-test-cluster' };
  const kubernetes = connectTools(kubeConfig, options);
  const transport = transportTo(kubeConfig, options);
  return {
    kubeConfig,
    server: kubeConfig.getCurrentCluster()?.server ?? '',
    kubernetes,
    clock,
    interrupted,
    async ask({ method, path, query = '', body }) {
      const address = { path, label: path, resource: path };
      const contentType = method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {};
      const request = { method, verb: method.toLowerCase(), address, query, body, ...contentType };
      const { code, text } = await transport.ask(request);
      return { code, body: parsed(text) };
    },
    async close() {
      await Promise.all([kubernetes.close(), transport.close()]);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
