import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { MachineRef } from '../../machine/machine.ts';
import { map, text, textOf } from './attributes.ts';

export const toMachineAttribute = (machine: MachineRef): AttributeValue =>
  map({
    apiVersion: text(machine.apiVersion),
    namespace: text(machine.namespace),
    name: text(machine.name),
    uid: text(machine.uid),
  });

export function fromMachineAttribute(attribute: AttributeValue | undefined): MachineRef | undefined {
  const apiVersion = textOf(attribute?.M?.['apiVersion']);
  const namespace = textOf(attribute?.M?.['namespace']);
  const name = textOf(attribute?.M?.['name']);
  const uid = textOf(attribute?.M?.['uid']);
  if (apiVersion === undefined || namespace === undefined || name === undefined || uid === undefined)
    return undefined;
  return { apiVersion, namespace, name, uid };
}
