import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Delivery } from './events.ts';

/** A process that serves events. */
export interface Child {
  pid: number;
  /** Rejects with what it answered unless that was a 2xx. */
  send(delivery: Delivery): Promise<void>;
  /** Asks it to end, and tells its exit code. */
  end(): Promise<number | null>;
}

/** Starts a file of JavaScript and waits for the line of its log that names its port. */
export async function startChild(file: string, environment: Record<string, string>): Promise<Child> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const port = await portOf(child);
  return {
    pid: child.pid ?? 0,
    async send({ to, headers, body }) {
      const response = await fetch(`http://127.0.0.1:${port}/${to}`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`${to} answered ${response.status}: ${await response.text()}`);
    },
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Discards the rest of its log: a full pipe would block the process. */
function portOf({ stdout }: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout });
    lines.on('line', (line) => {
      const port = /"port":(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(port);
    });
    lines.once('close', () => reject(new Error('it ended before it served anything')));
  });
}
