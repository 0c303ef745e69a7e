import { KubeConfig } from '@kubernetes/client-node';
import { keptReading } from '../../async/shared-reads.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';

/** What a TLS handshake with the API server needs. */
export interface TlsMaterial {
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
}

export interface Credentials {
  headers: Record<string, string>;
  tls: TlsMaterial;
}

/**
 * Tokens and certificates rotate (files, exec plugins), and the kubeconfig knows when. To ask it costs file reads and
 * parsing, too much for every request.
 */
const refreshMilliseconds = 10_000;
/** A plugin is a process: while its tokens, too, are refused it is not to run for every request. */
const againMilliseconds = 5_000;

/** The server's address and, freshly enough, what proves who we are. */
export interface CredentialSource {
  /** Without trailing slash; may carry a path, as behind a proxy that serves many clusters. */
  server: URL;
  proxyUrl: string | undefined;
  /** Throws when a token or certificate cannot be read. */
  current(): Promise<Credentials>;
  /** The server no longer accepts them: ask the kubeconfig again before the next request, unless that was just done. */
  forget(): void;
}

export function credentialSource(kubeConfig: KubeConfig, clock: Clock): CredentialSource {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster === null) throw new Error('kubeconfig: no current cluster');
  let config = forCredentialsOnly(kubeConfig);
  const kept = keptReading(clock, refreshMilliseconds, () => readCredentials(config));
  let forgotten: Stopwatch | undefined;
  return {
    server: new URL(cluster.server),
    proxyUrl: cluster.proxyUrl,
    current: () => kept.current(),
    forget() {
      if (forgotten !== undefined && forgotten() < againMilliseconds) return;
      forgotten = clock.stopwatch();
      // The library keeps them, too: a plugin's without an end for ever, a file's for a minute. Its clock may be set
      // back.
      config = forCredentialsOnly(kubeConfig);
      kept.forget();
    },
  };
}

/**
 * The library takes TLS settings only from a context with a user. It builds an agent that we never use, and refuses
 * plain http unless TLS verification is off. A copy that satisfies both leaves the original alone.
 */
function forCredentialsOnly(original: KubeConfig): KubeConfig {
  const cluster = original.getCurrentCluster();
  const user = original.getCurrentUser() ?? { name: 'anonymous' };
  const plain = cluster?.server.startsWith('http:') === true;
  const copy = new KubeConfig();
  copy.loadFromOptions({
    clusters: [
      { ...cluster, name: 'c', proxyUrl: undefined, skipTLSVerify: plain || cluster?.skipTLSVerify },
    ],
    users: [{ ...user, name: 'u' }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return copy;
}

async function readCredentials(config: KubeConfig): Promise<Credentials> {
  const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {};
  await config.applyToHTTPSOptions(options);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {}))
    headers[name.toLowerCase()] = String(value);
  if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  return { headers: trimmed(headers), tls: tlsMaterial(options) };
}

/** A token file usually ends in a newline, which no header may contain. */
function trimmed(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.trim()]));
}

function tlsMaterial(options: object): TlsMaterial {
  const { ca, cert, key, servername, rejectUnauthorized } = options as TlsMaterial;
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(servername && { servername }),
    ...(rejectUnauthorized === false && { rejectUnauthorized }),
  };
}
