import { readFileSync } from 'node:fs';

export interface Recording {
  method: string;
  url: string;
  headers: [string, string][];
  bodyRaw: string;
}

/** A request recorded from the real thing. */
export const recording = (path: string): Recording => JSON.parse(textOf(path));

/** The lines of a table that was measured. */
export const recordedLines = (name: string): string[] => textOf(`tables/${name}`).trim().split('\n');

const textOf = (path: string): string =>
  readFileSync(new URL(`../../../golden/knative/${path}`, import.meta.url), 'utf8');

/** Headers that belong to the Go client and to the connection, not to the event. */
const connection = new Set(['Host', 'User-Agent', 'Content-Length', 'Accept-Encoding']);

export const eventHeaders = (recorded: Recording): Record<string, string> =>
  Object.fromEntries(recorded.headers.filter(([name]) => !connection.has(name)));

/** Values that are new in every event. */
export const withoutMoments = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...headers,
  ...('Ce-Id' in headers && { 'Ce-Id': '<id>' }),
  ...('Ce-Time' in headers && { 'Ce-Time': '<time>' }),
  ...('Ce-Knativearrivaltime' in headers && { 'Ce-Knativearrivaltime': '<time>' }),
});
