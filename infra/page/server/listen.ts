import type { Server } from 'node:http';
import { CannotDo } from '../../terminal/usage-error.ts';

/** Resolves with the port. Throws CannotDo where it cannot be had. */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port, ...(host !== undefined && { host }) }, resolve);
    });
  } catch (error) {
    throw new CannotDo(
      `the page cannot be served: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Ends what is being read, too. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
