import { expect, test } from 'vitest';
import { differsOnlyInForm, isSameServer } from '../../../shared/machine/provider-id.ts';

const group = '/subscriptions/s/resourceGroups/Shop-RG/providers/Microsoft.Compute/virtualMachines';

test.each<[one: string, other: string, isSame: boolean]>([
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-07', true],
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-08', false],
  ['aws:///eu-west-1a/i-07/', 'aws:///eu-west-1a/i-08/', false],
  ['aws:////i-1', 'aws:///eu-1a/i-1', true],
  ['openstack:///f1a4', 'openstack://region-1/f1a4', true],
  [`azure://${group}/worker-1`, `azure://${group.toLowerCase()}/worker-1`, true],
  [`azure://${group}/Worker-1`, `azure://${group}/worker-1`, true],
  [`azure://${group}/worker-1`, `azure://${group}/worker-2`, false],
])('whether %s and %s are one server: %s', (one, other, isSame) => {
  expect(isSameServer(one, other)).toBe(isSame);
});

test.each<[one: string, other: string, isSame: boolean]>([
  ['aws:///eu-west-1a/i-07', 'aws:////i-07', true],
  ['openstack://region-1/f1a4', 'openstack:///f1a4', true],
  [`azure://${group}/Worker-1`, `azure://${group.toLowerCase()}/worker-1`, true],
  ['azure:///sets/a/vms/0', 'azure:///sets/b/vms/0', false],
  ['aws:////i-1', 'azure:////i-1', false],
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-08', false],
])('whether %s and %s differ only in their form: %s', (one, other, isSame) => {
  expect(differsOnlyInForm(one, other)).toBe(isSame);
});
