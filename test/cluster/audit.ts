import { open, stat } from 'node:fs/promises';
import * as z from 'zod';

/** What one of the phaseout's ServiceAccounts was refused. */
export interface Denial {
  user: string;
  verb: string;
  uri: string;
  at: number;
}

const entrySchema = z.looseObject({
  verb: z.string(),
  requestURI: z.string(),
  user: z.looseObject({ username: z.string() }),
  stageTimestamp: z.string(),
  responseStatus: z.looseObject({ code: z.number(), message: z.string().optional() }).optional(),
});

/** Audit logs of the API server, from where they are now on. */
export interface AuditLogs {
  /** Requests of ServiceAccounts in these namespaces so far, and those that RBAC refused. */
  read(namespaces: readonly string[]): Promise<{ requests: number; denials: Denial[] }>;
}

/** Rejects when one of them cannot be read. */
export async function openAuditLogs(files: readonly string[]): Promise<AuditLogs> {
  const starts = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return {
    async read(namespaces) {
      const texts = await Promise.all(files.map((file, index) => tail(file, starts[index] ?? 0)));
      const isOurs = (user: string): boolean =>
        namespaces.some((namespace) => user.startsWith(`system:serviceaccount:${namespace}:`));
      const entries = texts
        .flatMap((text) => text.split('\n'))
        .flatMap(entryIn)
        .filter(({ user }) => isOurs(user.username));
      return { requests: entries.length, denials: entries.filter(isForbidden).map(denialOf) };
    },
  };
}

type Entry = z.infer<typeof entrySchema>;

/** The last line may be half written. */
function entryIn(line: string): Entry[] {
  try {
    const reading = entrySchema.safeParse(JSON.parse(line));
    return reading.success ? [reading.data] : [];
  } catch {
    return [];
  }
}

/** Admission answers 403 as well: in a namespace that is ending, or against a policy. */
const isForbidden = ({ responseStatus }: Entry): boolean =>
  responseStatus?.code === 403 &&
  /cannot \w+ resource|no RBAC policy/.test(responseStatus.message ?? 'cannot x resource');

const denialOf = ({ user, verb, requestURI: uri, stageTimestamp }: Entry): Denial => ({
  user: user.username,
  verb,
  uri,
  at: Date.parse(stageTimestamp),
});

async function tail(file: string, start: number): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read({
      buffer: Buffer.alloc(Math.max(0, size - start)),
      position: start,
    });
    return buffer.toString();
  } finally {
    await handle.close();
  }
}
