import { LineCounter, parseDocument } from 'yaml';
import type { AuditEntry } from '../../../infra/local/kubernetes/authorization/audit.ts';
import { fieldLine } from '../../../infra/serverless/field-line.ts';
import type { Permission } from '../../../infra/serverless/permissions-schema.ts';
import { type MachineApiName, machineApiNames } from '../../../shared/dialects/registry.ts';
import { type UserName, users } from '../stage/identities.ts';
import { serverless, serverlessText } from '../stage/rendered.ts';

/** One thing that somebody may do for a Machine API. */
export interface Granted {
  /** Of serverless.yml. */
  line: number;
  machineApi: MachineApiName;
  side: Permission['side'];
  verb: string;
  resource: string;
  group: string;
}

/** Each by itself, in place of the API's own controller, with the line that grants it. */
export const allGranted: Granted[] = serverless.permissions.flatMap((permission, index) =>
  permission.mode === 'beside'
    ? []
    : (permission.for ?? machineApiNames).flatMap((machineApi) => each(permission, index, machineApi)),
);

function each(permission: Permission, index: number, machineApi: MachineApiName): Granted[] {
  const { side, apiGroups, resources, verbs } = permission;
  return verbs.flatMap((verb, at) => {
    const line = lineOf(['provider', 'permissions', index, 'verbs', at]);
    const one = { line, machineApi, side, verb };
    return apiGroups.flatMap((group) => resources.map((resource) => ({ ...one, resource, group })));
  });
}

function lineOf(path: (string | number)[]): number {
  const lines = new LineCounter();
  return fieldLine(parseDocument(serverlessText, { lineCounter: lines }), lines, path);
}

/** Whether that was asked, by whoever is on that side for that Machine API. */
export const isUsed = (granted: Granted, asked: readonly AuditEntry[]): boolean =>
  asked.some(({ user, verb, group, resource, subresource }) => {
    const full = subresource === '' ? resource : `${resource}/${subresource}`;
    const isIt = granted.resource === '*' || granted.resource === full;
    return user === users[userOf(granted)].name && verb === granted.verb && group === granted.group && isIt;
  });

/** OpenShift's Nodes are where its Machines are. */
function userOf({ side, machineApi }: Granted): UserName {
  const isOpenShift = machineApi === 'openshift';
  if (side === 'sources') return isOpenShift ? 'sourcesOfOpenShift' : 'sources';
  return side === 'workload' && !isOpenShift ? 'workload' : 'functions';
}
