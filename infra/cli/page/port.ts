import { UsageError } from '../../terminal/usage-error.ts';

/** Throws UsageError. */
export function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new UsageError(`--port takes a number from 1 to 65535, not ${JSON.stringify(text)}`);
  return port;
}
