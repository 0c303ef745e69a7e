import { expect, test } from 'vitest';
import { compareProviderIds } from '../../../shared/machine/machine.ts';

const group = '/subscriptions/s/resourceGroups/Shop-RG/providers/Microsoft.Compute/virtualMachines';

test.each<[one: string, other: string, likeness: string]>([
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-07', 'equal'],
  ['aws:////i-1', 'aws:///eu-1a/i-1', 'in-form'],
  ['aws:///eu-west-1a/i-07', 'aws:////i-07', 'in-form'],
  ['openstack:///f1a4', 'openstack://region-1/f1a4', 'in-form'],
  [`azure://${group}/worker-1`, `azure://${group.toLowerCase()}/worker-1`, 'in-form'],
  [`azure://${group}/Worker-1`, `azure://${group}/worker-1`, 'in-form'],
  [`azure://${group}/worker-1`, `azure://${group}/worker-2`, 'contradicting'],
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-08', 'contradicting'],
  ['aws:///eu-west-1a/i-07/', 'aws:///eu-west-1a/i-08/', 'contradicting'],
  ['openstack://region-1/f1a4', 'openstack://region-2/f1a4', 'contradicting'],
  ['azure:///sets/a/vms/0', 'azure:///sets/b/vms/0', 'contradicting'],
  ['aws:////i-1', 'azure:////i-1', 'contradicting'],
  ['', '//', 'contradicting'],
])('%s and %s are %s', (one, other, likeness) => {
  expect(compareProviderIds(one, other)).toBe(likeness);
});
