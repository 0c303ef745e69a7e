import { expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { exitOf, type Watched } from '../../../shared/follow/watched.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import { after, aRawMachine, timeAfter } from '../dialects/capi/machines.ts';

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
