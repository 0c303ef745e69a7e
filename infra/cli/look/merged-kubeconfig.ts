import { dirname, isAbsolute, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

/** The text of a kubeconfig, and where it was read. */
export interface KubeconfigText {
  path: string;
  text: string;
}

const settings = z.record(z.string(), z.unknown());
const named = z.looseObject({ name: z.string() });
const document = z.looseObject({
  clusters: z.array(named.extend({ cluster: settings.nullish() })).nullish(),
  users: z.array(named.extend({ user: settings.nullish() })).nullish(),
  contexts: z.array(named).nullish(),
  'current-context': z.string().nullish(),
});
type Document = z.infer<typeof document>;

/** Several kubeconfigs as one, as kubectl merges them: the first file that has a name, or a current context, wins. */
export function mergedKubeconfig(files: readonly KubeconfigText[], context: string | undefined): string {
  const all = files.map(readDocument);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: firstOfName(all.flatMap(({ clusters }) => clusters ?? [])),
    users: firstOfName(all.flatMap(({ users }) => users ?? [])),
    contexts: firstOfName(all.flatMap(({ contexts }) => contexts ?? [])),
    'current-context':
      context ?? all.map((each) => each['current-context']).find((name) => name !== undefined && name !== ''),
  });
}

/** The names of their contexts. */
export const contextNames = (files: readonly KubeconfigText[]): string[] => [
  ...new Set(files.flatMap((file) => (readDocument(file).contexts ?? []).map(({ name }) => name))),
];

const firstOfName = <T extends { name: string }>(entries: readonly T[]): T[] =>
  entries.filter(({ name }, index) => entries.findIndex((each) => each.name === name) === index);

/** Paths in a kubeconfig start from its own folder. Throws where it is none. */
function readDocument({ path, text }: KubeconfigText): Document {
  // Warnings of the parser would quote the text around them, which may be a token.
  const read = document.safeParse(parse(text, { logLevel: 'error' }) ?? {});
  if (!read.success) throw new Error('it is no kubeconfig');
  const folder = dirname(path);
  return {
    ...read.data,
    clusters: read.data.clusters?.map((each) => ({
      ...each,
      cluster: absolute(each.cluster, ['certificate-authority'], folder),
    })),
    users: read.data.users?.map((each) => ({ ...each, user: userFrom(each.user, folder) })),
  };
}

const program = z.looseObject({ command: z.string() });

type Settings = z.infer<typeof settings> | null | undefined;

function userFrom(user: Settings, folder: string): Settings {
  const own = absolute(user, ['client-certificate', 'client-key', 'tokenFile'], folder);
  const exec = program.safeParse(own?.['exec']).data;
  if (exec?.command.includes('/') !== true) return own;
  return { ...own, exec: absolute(exec, ['command'], folder) };
}

/** A name without a folder in front of it is a file as well. Only programs are looked for elsewhere. */
const absolute = (from: Settings, fields: readonly string[], folder: string): Settings =>
  from &&
  Object.fromEntries(
    Object.entries(from).map(([field, value]) => [
      field,
      fields.includes(field) && typeof value === 'string' && value !== '' && !isAbsolute(value)
        ? resolve(folder, value)
        : value,
    ]),
  );
