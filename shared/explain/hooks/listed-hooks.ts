import { hooks as annotated } from '../../dialects/capi/annotations.ts';
import { clusterApi } from '../../dialects/capi/index.ts';
import type { HookPoint } from '../../dialects/dialect.ts';
import { recordAt, textAt } from '../../dialects/fields.ts';
import { openShift } from '../../dialects/openshift/index.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';

/** A hook as a Machine, or the template of one, has it. */
export interface ListedHook {
  point: HookPoint;
  hook: string;
  owner?: string;
}

/** What has hooks: a Machine, or the part of a template that Machines are made from. */
export interface Bearer {
  annotations: Readonly<Record<string, string>>;
  lifecycleHooks?: unknown;
}

export const bearerOf = ({ metadata, spec }: KubeObject): Bearer => ({
  annotations: metadata.annotations ?? {},
  lifecycleHooks: recordAt(spec)['lifecycleHooks'],
});

const points: readonly HookPoint[] = ['pre-drain', 'pre-terminate'];

/** All of them, also those that hold nothing, in the order of their points. */
export function hooksOn(bearer: Bearer, group: string): ListedHook[] {
  if (group === clusterApi.group) return points.flatMap((point) => ofAnnotations(bearer, point));
  return group === openShift.group ? points.flatMap((point) => ofLists(bearer, point)) : [];
}

function ofAnnotations({ annotations }: Bearer, point: HookPoint): ListedHook[] {
  return annotated({ annotations }, point).map((hook) => {
    const owner = annotations[hook];
    return { point, hook, ...(owner && { owner }) };
  });
}

const listNames = { 'pre-drain': 'preDrain', 'pre-terminate': 'preTerminate' } as const;

function ofLists({ lifecycleHooks }: Bearer, point: HookPoint): ListedHook[] {
  const list = recordAt(lifecycleHooks)[listNames[point]];
  return (Array.isArray(list) ? list : []).map((each: unknown) => {
    const owner = textAt(each, 'owner');
    return { point, hook: textAt(each, 'name') ?? '', ...(owner !== undefined && { owner }) };
  });
}

/** Keys of annotations that were meant to be hooks, and that no controller of the API takes for any. */
export function unmatchedKeys(bearer: Bearer, group: string): string[] {
  const hooks = new Set(group === clusterApi.group ? hooksOn(bearer, group).map(({ hook }) => hook) : []);
  return Object.keys(bearer.annotations).filter((key) => looksLikeHook(key) && !hooks.has(key));
}

/** Keys of phaseout's own that say `hook` are none. */
const looksLikeHook = (key: string): boolean =>
  !key.startsWith('phaseout.dev/') &&
  /hook/i.test(key) &&
  /delete[.-]?hook|hooks?\.machine|pre[-.]?(drain|terminate)/i.test(key);
