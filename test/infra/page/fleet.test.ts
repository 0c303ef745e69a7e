import { describe, expect, test } from 'vitest';
import { lookAtFleet, planView } from '../../../infra/page/look/fleet.ts';
import type { JudgedMachine } from '../../../shared/explain/fleet/fleet-plan.ts';
import { Unavailable, Unread } from '../../../shared/kubernetes/errors.ts';
import { systemClock } from '../../../shared/time/clock.ts';

const clock = { ...systemClock, now: () => 5_000 };

const goes = (apiVersion: string): JudgedMachine => ({
  apiVersion,
  namespace: 'fleet',
  name: 'a',
  uid: `uid-${apiVersion}`,
  verdict: 'goes',
  holders: [],
});

const echo = async (asked: object) => ({ machines: [], unread: [JSON.stringify(asked)] });

describe('a look at many Machines', () => {
  test.each([
    [
      'may not be listed',
      new Unread('not read: machines: forbidden for user ada'),
      'not read: machines: forbidden for user ada',
    ],
    ['cannot be listed', new Unavailable('GET /machines: 503'), 'not read: Machines: GET /machines: 503'],
  ])('that %s says so, and judges none', async (_what, error, said) => {
    const fleet = await lookAtFleet({}, { clock, judgeMany: () => Promise.reject(error) });
    expect(fleet).toEqual({ madeAt: 5_000, machines: [], unread: [said] });
  });

  test('passes on what it is asked for, and tells when it began', async () => {
    expect(await lookAtFleet({ cluster: 'blue' }, { clock, judgeMany: echo })).toEqual({
      madeAt: 5_000,
      machines: [],
      unread: ['{"cluster":"blue"}'],
    });
  });

  test('keeps Machines of one name in several APIs apart', () => {
    const machines = ['cluster.x-k8s.io/v1beta2', 'machine.openshift.io/v1beta1'].map(goes);
    const about = { clock, subject: 'it', notes: ['a dump'] };
    const view = planView({ madeAt: 4_000, machines, unread: [] }, about);
    expect(view).toMatchObject({ now: 5_000, madeAt: 4_000, subject: 'it', notes: ['a dump'] });
    expect(view.machines.map(({ api, name }) => `${api}:${name}`)).toEqual(['capi:a', 'openshift:a']);
  });
});
