import { expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { dialectsOf } from '../../../shared/dialects/registry.ts';
import { exitOf, type Watched, watchedOf } from '../../../shared/follow/watched.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import { after, aRawMachine, aRawV1Beta1Machine, timeAfter } from '../../builders/cluster-api.ts';
import { aWorld } from '../../builders/world.ts';

const excluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };

interface Case {
  annotations?: Record<string, string>;
  limit?: number;
  to?: Phase;
}

/** The drain began with the deletion, and was left after 100 seconds. */
function leftDrain({ annotations = {}, limit, to = 'volume-detach' }: Case) {
  const machine = clusterApi.read(
    aRawMachine({
      annotations,
      spec: limit === undefined ? {} : { deletion: { nodeDrainTimeoutSeconds: limit } },
      status: { deletion: { nodeDrainStartTime: timeAfter(0) } },
    }),
  );
  const watched: Watched = {
    machine: machine.ref,
    carriedBy: 'controller',
    deletedAt: timeAfter(0),
    waitsFor: { reason: '', message: '' },
    acts: { who: 'controller', name: '' },
    state: 'progressing',
    rank: 2,
    phase: to,
  };
  return exitOf('drain', { machine, dialect: clusterApi, watched }, after(100));
}

test.each<[string, Case, string]>([
  ['done where it has no limit', {}, 'done'],
  ['done where its limit is not over', { limit: 101 }, 'done'],
  ['given up where its limit is over', { limit: 100 }, 'timed-out'],
  ['passed over where the Machine is excluded from it', { annotations: excluded }, 'excluded'],
  ['returned from where an earlier phase follows', { to: 'pre-drain' }, 'returned'],
])('a drain is %s', (_how, how, as) => {
  expect(leftDrain(how)).toBe(as);
});

test.each([
  ['given up where its condition stays False', 'False', 'timed-out'],
  ['done where its condition is True', 'True', 'done'],
])('a drain of Cluster API 1.8 is %s', (_how, status, as) => {
  const [dialect = clusterApi] = dialectsOf({ machineApis: ['capi'], observed: ['capi'] });
  const conditions = [
    { type: 'DrainingSucceeded', status, lastTransitionTime: timeAfter(0) },
    { type: 'VolumeDetachSucceeded', status: 'False', lastTransitionTime: timeAfter(100) },
  ];
  const machine = dialect.read(
    aRawV1Beta1Machine({ spec: { nodeDrainTimeout: '100s' }, status: { conditions } }),
  );
  const world = aWorld();
  world.env.dialects = [dialect];
  const watched = watchedOf(world.env, dialect, machine.raw)!;
  expect(watched.phase).toBe('volume-detach');
  expect(exitOf('drain', { machine, dialect, watched }, after(100))).toBe(as);
});
