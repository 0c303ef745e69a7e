import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { ourHook, ourSecondHook } from '../../scenario/beside.ts';

/** As a JSON patch names an annotation. */
export const pathOf = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** As a JSON patch names a hook of OpenShift. */
export const isPathOfListedHook = (path: string): boolean =>
  /^\/spec\/lifecycleHooks\/(preDrain|preTerminate)\/\d+$/.test(path);

const takes = (body: unknown, annotation: string, list: string): boolean =>
  Array.isArray(body) &&
  body.some((one) => {
    const path = textAt(one, 'path') ?? '';
    const isOf = path === pathOf(annotation) || path.startsWith(`/spec/lifecycleHooks/${list}/`);
    return textAt(one, 'op') === 'remove' && isOf;
  });

/** Whether a JSON patch takes our hook before the drain off. */
export const takesFirstHook = (body: unknown): boolean => takes(body, ourHook, 'preDrain');

/** The same of our hook before the end of a server. */
export const takesSecondHook = (body: unknown): boolean => takes(body, ourSecondHook, 'preTerminate');

/** The value that a JSON patch demands to find there; undefined where it does not ask. */
export function testedIn(body: unknown, path: string): string | undefined {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const test = operations.find((one) => textAt(one, 'op') === 'test' && textAt(one, 'path') === path);
  return textAt(recordAt(test), 'value');
}

/** The version that a merge patch or a JSON patch names. */
export const versionIn = (body: unknown): string | undefined =>
  Array.isArray(body)
    ? testedIn(body, '/metadata/resourceVersion')
    : textAt(body, 'metadata', 'resourceVersion');

/** The value that a JSON patch puts there; undefined where it puts none. */
export function addedIn(body: unknown, annotation: string): string | undefined {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const added = operations.find(
    (one) => textAt(one, 'op') === 'add' && textAt(one, 'path') === pathOf(annotation),
  );
  return textAt(recordAt(added), 'value');
}

/** Whether a JSON patch takes a finalizer off. */
export const takesFinalizer = (body: unknown): boolean =>
  Array.isArray(body) &&
  body.some(
    (each) =>
      textAt(each, 'op') === 'remove' && textAt(each, 'path')?.startsWith('/metadata/finalizers/') === true,
  );

/** Whether a JSON patch cordons the Node of a server, which it names, and does nothing else. */
export function cordonsByServer(body: unknown): boolean {
  if (!Array.isArray(body) || testedIn(body, '/spec/providerID') === undefined) return false;
  const [write, ...others] = body.filter((one) => textAt(one, 'op') !== 'test');
  const { path, value } = recordAt(write);
  return others.length === 0 && path === '/spec/unschedulable' && value === true;
}
