import { readOr } from '../../shared/kubernetes/errors.ts';
import { didYouMean, most, nearTo } from '../terminal/near.ts';
import { CannotDo } from '../terminal/usage-error.ts';
import { counted } from '../terminal/words.ts';
import { asTyped, type MachineName, withoutApi } from './machine-name.ts';
import { type Namespaced, NoSuchNamespace, unknownNamespace } from './namespaces.ts';

/** A Machine that there is, as the user must type it. */
interface Known extends Omit<MachineName, 'api'> {
  label: string;
}

/** What is wrong where no Machine has the name: its namespace, or the name. Names a few that are near, and no fleet of hundreds. */
export async function noSuchMachine(
  where: Namespaced,
  named: MachineName,
  list: () => Promise<readonly Known[]>,
): Promise<CannotDo> {
  const [unknown, known] = await Promise.all([
    unknownNamespace(where, named.namespace),
    readOr(undefined, list),
  ]);
  const near = nearMachines(named, known ?? []);
  const isThere = known?.some(({ namespace }) => namespace === named.namespace) === true;
  if (unknown !== undefined && !isThere)
    return new NoSuchNamespace(`${unknown.problem}${didYouMean(near.length > 0 ? near : unknown.near)}`);
  return new CannotDo(`there is no Machine ${asTyped(named)}${among(known, near)}`);
}

function among(known: readonly Known[] | undefined, near: readonly string[]): string {
  if (known === undefined) return '';
  if (known.length === 0) return ', nor any other';
  const count = counted(known.length, 'Machine');
  return near.length > 0
    ? `${didYouMean(near)} (of ${count})`
    : ` among ${count}, and none has a name like that`;
}

/** Those of the same name elsewhere, then those of a name that is near. */
function nearMachines(named: MachineName, known: readonly Known[]): string[] {
  const names = nearTo(withoutApi(named), known.map(withoutApi));
  const elsewhere = known.filter(({ name }) => name === named.name);
  const near = names.flatMap((name) => known.filter((each) => withoutApi(each) === name));
  return [...new Set([...elsewhere, ...near].map(({ label }) => label))].slice(0, most);
}
