import { expect, test } from 'vitest';
import { shownReason } from '../../../shared/dialects/shown-reason.ts';
import type { Phase } from '../../../shared/machine/phase.ts';

const machine = (status: unknown) => ({ metadata: { name: 'm-1' }, status });
const deleting = { type: 'Deleting', status: 'True', reason: 'DrainingNode' };

test.each<[string, unknown, Phase, string]>([
  ['Cluster API v1beta2', { conditions: [deleting] }, 'drain', 'DrainingNode'],
  ['Cluster API v1beta1', { v1beta2: { conditions: [deleting] } }, 'drain', 'DrainingNode'],
  [
    'a Machine that is paused, whatever it said before',
    { conditions: [deleting, { type: 'Paused', status: 'True', reason: 'Paused' }] },
    'drain',
    'Paused',
  ],
  [
    'OpenShift, by the condition of the phase it is in',
    {
      conditions: [
        { type: 'Drained', status: 'False', reason: 'DrainError' },
        { type: 'Terminable', status: 'False', reason: 'HookPresent' },
      ],
    },
    'drain',
    'DrainError',
  ],
  [
    'OpenShift, by a hook that holds the drain',
    { conditions: [{ type: 'Drainable', status: 'False', reason: 'HookPresent' }] },
    'pre-drain',
    'HookPresent',
  ],
  [
    'OpenShift, by a hook that holds the server',
    { conditions: [{ type: 'Terminable', status: 'False', reason: 'HookPresent' }] },
    'pre-terminate',
    'HookPresent',
  ],
  [
    'OpenShift, not by a hook of a phase to come',
    { conditions: [{ type: 'Terminable', status: 'False', reason: 'HookPresent' }] },
    'drain',
    '',
  ],
  ['a Machine that shows nothing', undefined, 'node', ''],
  ['a Machine whose status is null', null, 'node', ''],
  ['conditions that are none', { conditions: 'none' }, 'node', ''],
  ['a reason that is no name', { conditions: [{ ...deleting, reason: 'see /var/log' }] }, 'drain', ''],
])('the reason that is shown by %s', (_what, status, phase, expected) => {
  expect(shownReason(machine(status), phase)).toBe(expected);
});
