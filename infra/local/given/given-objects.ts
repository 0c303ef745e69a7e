import type { Manifest } from '../../terminal/manifests.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { identityOf } from '../kubernetes/objects/identity.ts';
import { textAt } from '../kubernetes/server/json.ts';

/** What follows from all objects of a cluster alone. It is made once: a fleet asks for each of its Machines. */
export function oncePer<Whole extends object, T>(make: (whole: Whole) => T): (whole: Whole) => T {
  const made = new WeakMap<Whole, { is: T }>();
  return (whole) => {
    const known = made.get(whole) ?? { is: make(whole) };
    made.set(whole, known);
    return known.is;
  };
}

/** The objects of manifests. */
export const objectsIn: (manifests: readonly Manifest[]) => readonly KubeObject[] = oncePer(
  (manifests: readonly Manifest[]) => manifests.map(({ object }) => object),
);

type Objects = readonly KubeObject[];

const kinds = oncePer((objects: Objects) => Map.groupBy(objects, ({ kind }) => kind));

/** Those of a kind, in any group. */
export const ofKind = (objects: Objects, kind: string): Objects => kinds(objects).get(kind) ?? [];

/** Whether there is one of the kind. */
export const hasKind = (objects: Objects, kind: string): boolean => kinds(objects).has(kind);

const identities = oncePer(
  (objects: Objects) => new Map(objects.map((object) => [identityOf(object), object])),
);

/** The one with this identity. */
export const withIdentity = (objects: Objects, identity: string): KubeObject | undefined =>
  identities(objects).get(identity);

const podsByNode = oncePer((objects: Objects) =>
  Map.groupBy(ofKind(objects, 'Pod'), (pod) => textAt(pod, 'spec', 'nodeName')),
);

/** The Pods on the Node of this name. */
export const podsOn = (objects: Objects, nodeName: string): Objects =>
  podsByNode(objects).get(nodeName) ?? [];
