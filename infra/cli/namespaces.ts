import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { readOr } from '../../shared/kubernetes/errors.ts';
import { namespaces } from '../../shared/kubernetes/resources.ts';
import { didYouMean, nearTo } from '../terminal/near.ts';
import { CannotDo } from '../terminal/usage-error.ts';

/** Where a namespace is looked for. */
export interface Namespaced {
  kubernetes: Pick<Kubernetes, 'get' | 'list'>;
  /** Manifests were given, which may leave Namespaces out. */
  isGiven?: boolean;
}

/** A Namespace that there is not, and what may have been meant. */
interface Unknown {
  problem: string;
  near: readonly string[];
}

/** Undefined where there is such a Namespace, and where the user may not find that out. */
export async function unknownNamespace(
  { kubernetes, isGiven = false }: Namespaced,
  name: string,
): Promise<Unknown | undefined> {
  const found = await readOr('unread', () => kubernetes.get(namespaces, { name }));
  if (found !== undefined) return undefined;
  // What only helps a message may be missing.
  const { items } = await readOr({ items: [] }, () => kubernetes.list(namespaces));
  const where = isGiven ? ' in the manifests' : '';
  return {
    problem: `there is no Namespace ${JSON.stringify(name)}${where}`,
    near: nearTo(
      name,
      items.map(({ metadata }) => metadata.name),
    ),
  };
}

/** There is no such Namespace: nothing is said of what was looked for in it. */
export class NoSuchNamespace extends CannotDo {}

/** Throws NoSuchNamespace. */
export async function mustHaveNamespace(where: Namespaced, name: string): Promise<void> {
  const unknown = await unknownNamespace(where, name);
  if (unknown !== undefined) throw new NoSuchNamespace(`${unknown.problem}${didYouMean(unknown.near)}`);
}
