import { expect, test } from 'vitest';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';

const group = '/subscriptions/s/resourceGroups/Shop-RG/providers/Microsoft.Compute/virtualMachines';

test.each<[one: string, other: string, isSame: boolean]>([
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-07', true],
  ['aws:///eu-west-1a/i-07', 'aws:///eu-west-1a/i-08', false],
  ['aws:///eu-west-1a/i-07/', 'aws:///eu-west-1a/i-08/', false],
  ['openstack:///f1a4', 'openstack://region-1/f1a4', true],
  [`azure://${group}/worker-1`, `azure://${group.toLowerCase()}/worker-1`, true],
  [`azure://${group}/Worker-1`, `azure://${group}/worker-1`, true],
  [`azure://${group}/worker-1`, `azure://${group}/worker-2`, false],
])('whether %s and %s are one server: %s', (one, other, isSame) => {
  expect(openShift.isSameServer(one, other)).toBe(isSame);
});
