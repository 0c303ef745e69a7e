import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig, PortForward } from '@kubernetes/client-node';

/** A port of a Pod. */
export interface PodPort {
  namespace: string;
  pod: string;
  port: number;
}

/** Connections of HTTP to a Pod, through the API server. */
export interface Forwarded {
  /** Connects there, whatever host is asked for. */
  agent: Agent;
  /** Why the API server has refused a connection, if it has. */
  refusal(): string | undefined;
  close(): Promise<void>;
}

/**
 * A way to a Pod for one user of this machine: a socket in a folder that is ours alone. Others could connect to a port.
 */
export async function forwardTo(kubeConfig: KubeConfig, to: PodPort): Promise<Forwarded> {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-'));
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\phaseout-${randomUUID()}` : join(folder, 'socket');
  const sockets = new Set<Socket>();
  let refusal: string | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    carry(kubeConfig, to, socket).catch((error: unknown) => {
      refusal ??= reasonOf(error);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  const agent = new PathAgent(path);
  return {
    agent,
    refusal: () => refusal,
    async close() {
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

class PathAgent extends Agent {
  readonly #path: string;

  constructor(path: string) {
    super({ keepAlive: true });
    this.#path = path;
  }

  override createConnection(): Socket {
    return connect(this.#path);
  }
}

async function carry(kubeConfig: KubeConfig, { namespace, pod, port }: PodPort, socket: Socket) {
  // What the socket sends before the way is open is kept until then.
  socket.pause();
  const opened = await new PortForward(usable(kubeConfig)).portForward(
    namespace,
    pod,
    [port],
    socket,
    null,
    socket,
  );
  const wire = typeof opened === 'function' ? opened() : opened;
  wire?.addEventListener('close', () => socket.end());
  socket.on('close', () => wire?.close());
  socket.resume();
}

/** Without TLS there is nothing to verify, but the library needs that as a setting. */
function usable(kubeConfig: KubeConfig): KubeConfig {
  const { clusters, contexts, users, currentContext } = kubeConfig;
  const copy = new KubeConfig();
  copy.loadFromOptions({
    contexts,
    users,
    currentContext,
    clusters: clusters.map((cluster) =>
      cluster.server.startsWith('http:') ? { ...cluster, skipTLSVerify: true } : cluster,
    ),
  });
  return copy;
}

/** The library fails with the event of a socket that could not be opened. */
const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
