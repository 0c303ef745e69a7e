import { parseOptions } from '../../../terminal/parse-arguments.ts';
import { UsageError } from '../../../terminal/usage-error.ts';
import { portOf } from '../port.ts';

export interface InClusterOptions {
  hosts: string[];
  port: number;
}

/** What a browser says is the Host where somebody forwards the port of the Service to the same port of a computer. */
const forwarded = (port: number): string[] => [`localhost:${port}`, `127.0.0.1:${port}`];

/** Throws UsageError. */
export function readInClusterOptions(args: readonly string[]): InClusterOptions {
  const values = parseOptions(args, {
    host: { type: 'string', multiple: true },
    port: { type: 'string' },
  });
  const wrong = values.host?.find((host) => !/^[\w.-]+(:\d+)?$/.test(host));
  if (wrong !== undefined)
    throw new UsageError(`--host takes NAME or NAME:PORT, not ${JSON.stringify(wrong)}`);
  const port = portOf(values.port) ?? 8_080;
  return { port, hosts: [...(values.host ?? []), ...forwarded(port)] };
}
