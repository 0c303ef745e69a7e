import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';

/** As a JSON patch names an annotation. */
export const pathOf = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** As a JSON patch names a pre-drain hook of OpenShift. */
export const isPathOfListedHook = (path: string): boolean =>
  /^\/spec\/lifecycleHooks\/preDrain\/\d+$/.test(path);

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
