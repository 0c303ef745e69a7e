import { describe, expect, it } from 'vitest';
import { judge } from '../../../infra/hook-watchdog/judge.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

/** `2026-01-01T12:30:00Z` is half past twelve. */
const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);

interface Given {
  renewed?: string;
  created?: string;
  /** When the API server has stored a change of the spec. */
  stored?: string;
  /** The same of anything else. */
  labelled?: string;
}

const entry = (time: string | undefined, field: string): object[] =>
  time === undefined
    ? []
    : [{ manager: 'm', time: `2026-01-01T${time}Z`, fieldsV1: { [field]: {} } }, { manager: 'odd' }];

function aLease({ renewed, created = '08:00:00', stored, labelled }: Given): KubeObject {
  return {
    metadata: {
      name: 'phaseout',
      creationTimestamp: `2026-01-01T${created}Z`,
      managedFields: [...entry(stored, 'f:spec'), ...entry(labelled, 'f:metadata')],
    },
    spec: renewed === undefined ? {} : { renewTime: `2026-01-01T${renewed}.000000Z` },
  };
}

const gone = (why: string) => ({ isGone: true, why });
const alive = (why: string) => ({ isGone: false, why });

describe('an installation', () => {
  it.each<[string, KubeObject | undefined, string[], ReturnType<typeof judge>]>([
    [
      'lives while its Lease is fresh',
      aLease({ renewed: '12:00:00' }),
      ['12:03:00'],
      alive('the Lease was renewed 180 s ago'),
    ],
    [
      'lives until the last second of thirty minutes',
      aLease({ renewed: '12:00:00' }),
      ['12:29:59'],
      alive('the Lease was renewed 1799 s ago'),
    ],
    [
      'is gone after thirty minutes',
      aLease({ renewed: '12:00:00' }),
      ['12:30:00'],
      gone('the Lease was renewed 1800 s ago'),
    ],
    ['is gone where there is no Lease', undefined, ['12:00:00'], gone('there is no Lease')],
    [
      'lives as long as one clock says so: the API server’s',
      aLease({ renewed: '12:00:00' }),
      ['14:00:00', '12:10:00'],
      alive('the Lease was renewed 600 s ago'),
    ],
    [
      'lives as long as one clock says so: our own',
      aLease({ renewed: '12:00:00' }),
      ['12:10:00', '14:00:00'],
      alive('the Lease was renewed 600 s ago'),
    ],
    [
      'is gone where both say so',
      aLease({ renewed: '12:00:00' }),
      ['12:31:00', '12:32:00'],
      gone('the Lease was renewed 1860 s ago'),
    ],
    [
      'lives where its own clock is behind, and the API server has just stored the renewal',
      aLease({ renewed: '10:00:00', stored: '12:00:00' }),
      ['12:05:00'],
      alive('the Lease was renewed 300 s ago'),
    ],
    [
      'is not alive because somebody has labelled its Lease',
      aLease({ renewed: '10:00:00', stored: '10:00:00', labelled: '12:00:00' }),
      ['12:00:00'],
      gone('the Lease was renewed 7200 s ago'),
    ],
    [
      'lives where its clock is a little ahead',
      aLease({ renewed: '12:05:00' }),
      ['12:00:00'],
      alive('the Lease was renewed 0 s ago'),
    ],
    [
      'is gone though its clock was hours ahead',
      aLease({ renewed: '23:00:00', stored: '12:00:00' }),
      ['12:40:00'],
      gone('the Lease was renewed 2400 s ago'),
    ],
    [
      'lives for a clock to which all of it is still to come',
      aLease({ renewed: '12:00:00', stored: '12:00:00' }),
      ['03:00:00', '14:00:00'],
      alive('the Lease was renewed 0 s ago'),
    ],
    [
      'has lived at least since its Lease was made',
      aLease({ created: '12:00:00' }),
      ['12:29:00'],
      alive('the Lease was renewed 1740 s ago'),
    ],
    [
      'is in doubt where its Lease says nothing that can be read',
      { metadata: { name: 'phaseout', managedFields: 'none' }, spec: 'none' },
      ['12:00:00'],
      alive('the Lease was renewed 0 s ago'),
    ],
  ])('%s', (_, lease, nows, verdict) => {
    expect(judge(lease, nows.map(at))).toEqual(verdict);
  });
});
