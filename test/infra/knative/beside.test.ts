import { expect, it } from 'vitest';
import { besideIn } from '../../../infra/knative/beside.ts';

it.each([
  ['', false],
  ['replace', false],
  ['beside', true],
  ['capi:beside,v1alpha1:replace', true],
  ['v1alpha1:replace, capi:beside', true],
  ['capi:replace', false],
])('an installation with mode %j is beside Cluster API’s controller: %s', (mode, isBeside) => {
  expect(besideIn({ PHASEOUT_MODE: mode })).toEqual({ isBeside, installation: '' });
});

it('knows its name', () => {
  expect(besideIn({ PHASEOUT_INSTALLATION: 'blue' }).installation).toBe('blue');
});
