import { expect, it } from 'vitest';
import { readSettings } from '../../../infra/hook-watchdog/settings.ts';
import { ConfigInvalid } from '../../../shared/runtime/config.ts';

it.each([
  [
    'an installation without a name',
    { LEASE_NAMESPACE: 'phaseout', PHASEOUT_INSTALLATION: '', PHASEOUT_NAMESPACES: '' },
    { installation: '', leaseNamespace: 'phaseout', namespaces: [] },
  ],
  [
    'one that is for some namespaces',
    { LEASE_NAMESPACE: 'a', PHASEOUT_INSTALLATION: 'blue', PHASEOUT_NAMESPACES: 'fleet, other' },
    { installation: 'blue', leaseNamespace: 'a', namespaces: ['fleet', 'other'] },
  ],
])('%s', (_, env, settings) => {
  expect(readSettings(env)).toEqual(settings);
});

it('says all that is wrong at once', () => {
  expect(() => readSettings({ PHASEOUT_INSTALLATION: 'A b' })).toThrow(
    new ConfigInvalid([
      'PHASEOUT_INSTALLATION: an installation is named by at most 54 lower-case letters, digits and dashes, not "A b"',
      'LEASE_NAMESPACE must name the namespace of the installation',
    ]),
  );
});
