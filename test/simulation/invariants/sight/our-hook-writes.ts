import { areEqual } from '../../../../infra/local/kubernetes/server/json.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { exclusions, listedHook, ourHook, ourName, ourSecondHook } from '../../scenario/beside.ts';
import { isPathOfListedHook, pathOf, testedIn } from './json-patch.ts';
import { checkpointKey } from './machine.ts';
import type { Effect } from './seen-effect.ts';

const keysOf = (value: unknown, ...path: string[]): string[] => Object.keys(recordAt(value, ...path));

const onlyHas = (keys: readonly string[], allowed: readonly string[]): boolean =>
  keys.every((key) => allowed.includes(key));

/** What a write of one of our hooks consists of, in either API. */
interface HookWrite {
  annotation: string;
  list: 'preDrain' | 'preTerminate';
  /** How often it was put on. */
  counter: string;
}

const first: HookWrite = {
  annotation: ourHook,
  list: 'preDrain',
  counter: 'phaseout.dev/registered',
};
const second: HookWrite = {
  annotation: ourSecondHook,
  list: 'preTerminate',
  counter: 'phaseout.dev/registered-pre-terminate',
};
const both = [first, second];

/**
 * One of our hooks or both, beside the API's own controllers, each with its count. `isLate`: what is written is not
 * of the version that is there.
 */
export function isHookWrite({ exchange: { body }, object, plan }: Effect, isLate: boolean): boolean {
  const isListed = plan?.api === 'openshift';
  const keys = both.flatMap(({ annotation, counter }) => [counter, ...(isListed ? [] : [annotation])]);
  const lists = both.map(({ list }) => list);
  const isWhole =
    onlyHas(keysOf(body), isListed ? ['metadata', 'spec'] : ['metadata']) &&
    onlyHas(keysOf(body, 'metadata'), ['resourceVersion', 'uid', 'annotations']) &&
    onlyHas(keysOf(body, 'metadata', 'annotations'), keys) &&
    onlyHas(keysOf(body, 'spec'), ['lifecycleHooks']) &&
    onlyHas(keysOf(body, 'spec', 'lifecycleHooks'), lists);
  const written = both.filter(({ counter }) => counter in recordAt(body, 'metadata', 'annotations'));
  if (!isWhole || written.length === 0) return false;
  return written.every((hook) => {
    const count = recordAt(body, 'metadata', 'annotations')[hook.counter];
    if (count === null) return hook === second && isTakenOff(hook, { body, object, isListed, isLate });
    if (!/^[12]$/.test(typeof count === 'string' ? count : '')) return false;
    return isPutOn(hook, { body, object, isListed, isLate });
  });
}

interface Written {
  body: unknown;
  object: unknown;
  isListed: boolean;
  isLate: boolean;
}

/** A list is written whole: what others have on it stays as it is. */
function isPutOn({ annotation, list }: HookWrite, { body, object, isListed, isLate }: Written): boolean {
  if (!isListed) return textAt(body, 'metadata', 'annotations', annotation) === ourName;
  const written = listOf(body, list);
  const isOurs = areEqual(written.at(-1), listedHook);
  return isOurs && (isLate || areEqual(written.slice(0, -1), listOf(object, list)));
}

/** Nothing selects the Machine any more. */
function isTakenOff({ annotation, list }: HookWrite, { body, object, isListed, isLate }: Written): boolean {
  if (!isListed) return recordAt(body, 'metadata', 'annotations')[annotation] === null;
  const others = listOf(object, list).filter((hook) => !areEqual(hook, listedHook));
  return isLate || areEqual(listOf(body, list), others);
}

function listOf(machine: unknown, name: string): readonly unknown[] {
  const list = recordAt(machine, 'spec', 'lifecycleHooks')[name];
  return Array.isArray(list) ? list : [];
}

const exclusionPaths = Object.values(exclusions).map(pathOf);

/** Our hooks go, and nothing else of anybody; what comes on is our word, and exclusions in our name. */
export function isHandOver({ exchange: { body }, plan, object }: Effect): boolean {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const isListed = plan?.api === 'openshift';
  const hooks = isListed
    ? pathsOfTestedHooks(operations)
    : both.map(({ annotation }) => pathOf(annotation)).filter((path) => testedIn(body, path) === ourName);
  const isTested = hooks.length > 0 && testedIn(body, '/metadata/uid') !== undefined;
  const isPut = (path: string, value: string | undefined): boolean => {
    if (path === pathOf(checkpointKey)) return true;
    if (path === '/metadata/annotations') return object?.metadata.annotations === undefined;
    // OpenShift's exclusion passes the hooks of all others over, too.
    return !isListed && exclusionPaths.includes(path) && value === ourName;
  };
  return (
    isTested &&
    operations.every((one) => {
      const [op, path = '', value] = ['op', 'path', 'value'].map((field) => textAt(one, field));
      if (op === 'remove') return hooks.includes(path);
      return op === 'test' || (op === 'add' && isPut(path, value));
    })
  );
}

/** Where a JSON patch demands to find our hooks, with their owner. */
const pathsOfTestedHooks = (operations: readonly unknown[]): string[] =>
  operations
    .filter((one) => textAt(one, 'op') === 'test')
    .filter((one) => areEqual(recordAt(one)['value'], listedHook))
    .map((one) => textAt(one, 'path') ?? '')
    .filter((path) => isPathOfListedHook(path));
