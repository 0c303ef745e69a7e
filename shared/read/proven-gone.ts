import { type Dialect, resourceOf } from '../dialects/dialect.ts';
import type { Policies } from '../policies/drain-policy.ts';
import type { Environment } from '../runtime/environment.ts';
import { servedVersion } from './list-machines.ts';

/** The Machine APIs with a drain that can be held. */
export const held = ({ dialects }: Environment): Dialect[] =>
  dialects.filter(({ phases }) => phases.includes('pre-drain'));

/** Who has a place and is on no list. Only a read of its very name proves that it is gone. */
export async function provenGone(
  env: Environment,
  { policies }: Pick<Policies, 'policies'>,
  there: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const missing = policies.flatMap(({ namespace, begun }) =>
    begun.flatMap(({ uid, name }) => (there.has(uid) ? [] : [{ uid, namespace, name }])),
  );
  const gone = await Promise.all(
    missing.map(async ({ uid, ...key }) => ((await isThere(env, uid, key)) ? [] : [uid])),
  );
  return new Set(gone.flat());
}

async function isThere(
  env: Environment,
  uid: string,
  key: { namespace: string; name: string },
): Promise<boolean> {
  const found = await Promise.all(
    held(env).map(async (dialect) => {
      const version = await servedVersion(env, dialect);
      return version === undefined ? undefined : env.management.get(resourceOf(dialect, version), key);
    }),
  );
  return found.some((raw) => raw?.metadata.uid === uid);
}
