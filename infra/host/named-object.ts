import type { Key } from '../../shared/kubernetes/client.ts';

/** The object that a variable names by `namespace/name`. */
export function namedObject(text: string | undefined): Required<Key> | undefined {
  const [namespace, name] = text?.split('/') ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
