import { type ComponentChildren, h } from 'preact';
import type { MachineName } from '../../views.ts';
import { Link } from '../parts/link.ts';

/** A Machine by its name, which leads to its view. */
export const Named = ({ machine }: { machine: MachineName }): ComponentChildren => {
  const { api, namespace, name } = machine;
  return h(Link, { to: { kind: 'machine', api, namespace, name } }, `${namespace}/${name}`);
};

/** The same for one Machine in each view that comes. */
export const keyOf = ({ api, namespace, name }: MachineName): string => `${api}:${namespace}/${name}`;
