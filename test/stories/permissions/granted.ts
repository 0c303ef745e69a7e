import { LineCounter, parseDocument } from 'yaml';
import { isFor } from '../../../infra/knative/rbac-objects.ts';
import type { AuditEntry } from '../../../infra/local/kubernetes/authorization/access.ts';
import type { Permission, Side } from '../../../infra/serverless/permissions-schema.ts';
import { fieldLine } from '../../../infra/serverless/read.ts';
import { type MachineApiName, type Mode, machineApiNames, modes } from '../../../shared/dialects/registry.ts';
import { type UserName, users } from '../stage/identities.ts';
import { serverless, serverlessText } from '../stage/rendered.ts';

/** A Machine API, by default in the place of its own controller. A suffix names another mode: `beside` or `observe`. */
export type Way = MachineApiName | 'capi:beside' | 'openshift:beside' | `${MachineApiName}:observe`;

/** One thing that somebody may do for a Machine API. */
export interface Granted {
  /** Of serverless.yml. */
  line: number;
  way: Way;
  side: Side;
  verb: string;
  resource: string;
  group: string;
}

const ways: readonly Way[] = [
  ...machineApiNames,
  'capi:beside',
  'openshift:beside',
  ...machineApiNames.map((name): Way => `${name}:observe`),
];

/** Each by itself, with the line that grants it. */
export const allGranted: Granted[] = ways.flatMap((way) =>
  serverless.permissions.flatMap((permission, index) =>
    isGranted(permission, way) ? each(permission, index, way) : [],
  ),
);

function machineApiOf(way: Way): MachineApiName | undefined {
  return machineApiNames.find((name) => way === name || way.startsWith(`${name}:`));
}

function modeOf(way: Way): Mode {
  return modes.find((mode) => way.endsWith(`:${mode}`)) ?? 'replace';
}

function isGranted(permission: Permission, way: Way): boolean {
  const machineApi = machineApiOf(way);
  return machineApi !== undefined && isFor(machineApi, permission.side, modeOf(way))(permission);
}

function each(permission: Permission, index: number, way: Way): Granted[] {
  const { side, apiGroups, resources, verbs } = permission;
  return verbs.flatMap((verb, at) => {
    const line = lineOf(['provider', 'permissions', index, 'verbs', at]);
    const one = { line, way, side, verb };
    return apiGroups.flatMap((group) => resources.map((resource) => ({ ...one, resource, group })));
  });
}

function lineOf(path: (string | number)[]): number {
  const lines = new LineCounter();
  return fieldLine(parseDocument(serverlessText, { lineCounter: lines }), lines, path);
}

/** Whether that was asked, on that side for that Machine API. */
export const isUsed = (granted: Granted, asked: readonly AuditEntry[]): boolean =>
  asked.some(({ user, verb, group, resource, subresource }) => {
    const full = subresource === '' ? resource : `${resource}/${subresource}`;
    const isIt = granted.resource === '*' || granted.resource === full;
    return user === users[userOf(granted)].name && verb === granted.verb && group === granted.group && isIt;
  });

/** OpenShift's Nodes are where its Machines are. */
function userOf({ side, way }: Granted): UserName {
  const isOpenShift = machineApiOf(way) === 'openshift';
  if (side === 'sources') return isOpenShift ? 'sourcesOfOpenShift' : 'sources';
  return side === 'workload' && !isOpenShift ? 'workload' : 'functions';
}
