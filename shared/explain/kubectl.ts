import type { Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import type { CauseObject } from './explanation.ts';
import type { Kubectl } from './seen.ts';

const plain = /^[\w@%+=:,./-]+$/;

/** For a POSIX shell: names come from clusters, and from the user. */
export const quoted = (word: string): string =>
  plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** `-n prod`. */
export const within = (namespace: string | undefined): string =>
  namespace === undefined ? '' : ` -n ${quoted(namespace)}`;

/** `machines.cluster.x-k8s.io md-1 -n prod`. */
export const machineWords = ({ ref }: Machine, { plural, group }: Dialect): string =>
  `${plural}.${group} ${quoted(ref.name)}${within(ref.namespace)}`;

/** `kubectl get poddisruptionbudgets.policy web -n shop -o yaml`. */
export const showing = (kubectl: Kubectl, { side, resource, namespace, name }: CauseObject): string =>
  `${kubectl[side]} get ${quoted(resource)} ${quoted(name)}${within(namespace)} -o yaml`;

/** `kubectl describe pods web-1 -n shop`. */
export const describing = (kubectl: Kubectl, { side, resource, namespace, name }: CauseObject): string =>
  `${kubectl[side]} describe ${quoted(resource)} ${quoted(name)}${within(namespace)}`;
