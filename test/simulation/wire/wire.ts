import type { ConnectOptions } from '../../../shared/adapters/kubernetes/connect.ts';
import { transportOver } from '../../../shared/adapters/kubernetes/transport.ts';
import { connectionOver } from './connection.ts';
import type { Line, SimulatedWireParts } from './line.ts';
import { never } from './promises.ts';
import type { SimulatedWatch } from './watch.ts';

/** All of one instance's ways to API servers of this process. */
export interface SimulatedWire {
  /** For the options of a connection. */
  carry: NonNullable<ConnectOptions['carry']>;
  /** Watches that are open, oldest first. */
  watches(): SimulatedWatch[];
  /** The instance is gone: nothing leaves any more, nothing arrives, and servers see their watches closed. */
  die(): void;
}

/** A wire without sockets, under everything else that is real: patience, time boxes, reports, credentials. */
export function createSimulatedWire(parts: SimulatedWireParts): SimulatedWire {
  const line: Line = {
    hostAt: (address) => address,
    leaves: () => undefined,
    begins: () => undefined,
    arrives: () => undefined,
    heard: () => undefined,
    heldOff: () => undefined,
    defect: (error) => queueMicrotask(() => raise(error)),
    ...parts,
    async step(label) {
      await parts.step(label);
      if (line.isDead) await never();
    },
    open: new Set(),
    isDead: false,
  };
  return {
    carry: transportOver((source) => connectionOver(line, source.server.hostname)),
    watches: () => [...line.open],
    die() {
      line.isDead = true;
      for (const watch of line.open) watch.abandon();
    },
  };
}

function raise(error: unknown): never {
  throw error;
}
