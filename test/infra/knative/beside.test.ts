import { expect, it } from 'vitest';
import { besideIn } from '../../../infra/knative/beside.ts';

it.each<[mode: string, apis: string[]]>([
  ['', []],
  ['replace', []],
  ['beside', ['capi', 'openshift']],
  ['capi:beside,v1alpha1:replace', ['capi']],
  ['v1alpha1:replace, capi:beside', ['capi']],
  ['openshift:beside', ['openshift']],
  ['capi:replace', []],
])('an installation with mode %j is beside the controllers of %j', (mode, apis) => {
  expect(besideIn({ PHASEOUT_MODE: mode })).toEqual({ apis, installation: '' });
});

it('knows its name', () => {
  expect(besideIn({ PHASEOUT_INSTALLATION: 'blue' }).installation).toBe('blue');
});
