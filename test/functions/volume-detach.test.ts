import { describe, expect, test } from 'vitest';
import { volumeDetach } from '../../functions/volume-detach.ts';
import type { PodVerdict } from '../../shared/drain/verdict.ts';
import type { PhaseOutcome } from '../../shared/machine/reason.ts';
import type { Decision } from '../../shared/phase/decision.ts';
import type { Subject } from '../../shared/phase/definition.ts';
import type { AttachedVolumes } from '../../shared/volumes/attached.ts';
import { after, timeAfter } from '../builders/cluster-api.ts';
import { verdict } from '../builders/pods.ts';
import { aNode, aSubject } from '../builders/subject.ts';

const now = after(10);

type Seen = Parameters<typeof volumeDetach.decide>[1];

const nothing: AttachedVolumes = {
  claims: [],
  volumesWithoutClaim: [],
  unmatchedNodeVolumes: [],
  unmatchedAttachments: [],
};
const claim = { ...nothing, claims: ['ns/data'] };
const attached = (volumes: AttachedVolumes, verdicts: PodVerdict[] = []): Seen => ({
  kind: 'attached',
  volumes,
  verdicts,
  node: aNode({ volumesAttached: ['kubernetes.io/csi/d^1', 'kubernetes.io/csi/d^2'] }),
  attachmentsVersion: '800',
});

type Parts = NonNullable<Parameters<typeof aSubject>[0]>;

const inPhase = (drainedAs: PhaseOutcome = 'done', parts: Parts = {}): Parts => ({
  phase: 'volume-detach',
  checkpoint: { passed: { drain: { as: drainedAs, since: timeAfter(0) } } },
  ...parts,
});
const limitedTo = (volumeDetachTimeoutSeconds: number): Subject =>
  aSubject(inPhase('done', { machine: { volumeDetachTimeoutSeconds } }));
const decide = (seen: Seen, subject = aSubject(inPhase())) => volumeDetach.decide(subject, seen, now);

describe('the wait is over', () => {
  test.each<[when: string, seen: Seen, message: string]>([
    [
      'nothing is attached',
      { kind: 'nothing-attached', why: 'no volume is attached' },
      'no volume is attached',
    ],
    [
      'only volumes of Pods that stay are attached',
      attached(nothing, [verdict('ns/daemon', 'Skip')]),
      'only volumes of Pods that stay are attached',
    ],
  ])('when %s', (_when, seen, message) => {
    expect(decide(seen)).toEqual({
      kind: 'advance',
      passing: 'done',
      message,
      events: [
        {
          type: 'Normal',
          reason: 'NodeVolumesDetached',
          message: 'success waiting for node volumes detaching Machine\'s node "node-1"',
        },
      ],
    });
  });

  test.each(['excluded', 'timed-out', 'not-applicable'] as const)(
    'as %s when the gate is closed',
    (passing) => {
      const gate = { allowed: false, passing, why: 'the gate says so' } as const;
      expect(decide({ kind: 'closed', gate })).toEqual({
        kind: 'advance',
        passing,
        message: 'the gate says so',
      });
    },
  );
});

const untilDetached = {
  kind: 'volumes-detached',
  nodeName: 'node-1',
  attached: ['kubernetes.io/csi/d^1', 'kubernetes.io/csi/d^2'],
  nodeVersion: '50',
  attachmentsVersion: '800',
};

describe('attached volumes', () => {
  test('are waited for, each kind by its name', () => {
    const volumes = {
      claims: ['ns/a', 'ns/b'],
      volumesWithoutClaim: ['pv-1'],
      unmatchedNodeVolumes: ['kubernetes.io/csi/d^2'],
      unmatchedAttachments: ['pv-2'],
    };
    expect(decide(attached(volumes))).toEqual({
      kind: 'wait',
      until: [untilDetached],
      report: {
        reason: 'WaitingForVolumeDetach',
        message: [
          'Waiting for Node volumes to be detached (started at 2026-01-01T12:00:01Z)',
          '* PersistentVolumeClaims: ns/a, ns/b',
          '* PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim: pv-1',
          '* Node with .status.volumesAttached entries not matching a PersistentVolume: kubernetes.io/csi/d^2',
          '* VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume: pv-2',
        ].join('\n'),
      },
      requeueAfterSeconds: 20,
    });
  });

  test.each<[seconds: number, end: number, requeueAfterSeconds: number]>([
    [60, after(61), 20],
    [14, after(15), 5],
    [9, after(10), 1],
  ])('are waited for no longer than %i s', (volumeDetachTimeoutSeconds, at, requeueAfterSeconds) => {
    expect(decide(attached(claim), limitedTo(volumeDetachTimeoutSeconds))).toMatchObject({
      kind: 'wait',
      until: [untilDetached, { kind: 'time', at }],
      requeueAfterSeconds,
    });
  });

  test('are waited for without end when the timeout is 0', () => {
    expect(decide(attached(claim), limitedTo(0))).toMatchObject({
      until: [untilDetached],
      requeueAfterSeconds: 20,
    });
  });
});

describe('Pods that must go and are back', () => {
  const back = attached(claim, [verdict('ns/back')]);

  test.each<[string, Seen]>([
    ['while volumes are waited for', back],
    [
      'when nothing is left to wait for: the server would go with them',
      attached(nothing, [verdict('ns/back')]),
    ],
  ])('are drained again %s', (_when, seen) => {
    expect(decide(seen)).toEqual({
      kind: 'retreat',
      to: 'drain',
      message: 'Pods that must go have appeared on the Node again',
    });
  });

  const excluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
  const limited = { machine: { drainTimeoutSeconds: 5 } };

  test.each<[as: PhaseOutcome, why: string, subject: Subject]>([
    ['done', 'and its time is over by now', aSubject(inPhase('done', limited))],
    ['timed-out', 'and its time is over still', aSubject(inPhase('timed-out', limited))],
    ['excluded', 'and is so still', aSubject(inPhase('excluded', { annotations: excluded }))],
    [
      'not-applicable',
      'and is so still',
      aSubject({ ...inPhase('not-applicable'), nodeDeletion: { allowed: false, why: 'noderef is nil' } }),
    ],
  ])('are left alone where the drain was passed as %s %s', (_as, _why, subject) => {
    expect(decide(back, subject).kind).toBe('wait');
  });

  test.each<PhaseOutcome>(['timed-out', 'excluded', 'not-applicable'])(
    'are drained where the drain was passed as %s, and nothing closes it any more',
    (as) => {
      expect(decide(back, aSubject(inPhase(as)))).toMatchObject({ kind: 'retreat', to: 'drain' });
    },
  );

  const timedOut = { drain: { as: 'timed-out', since: timeAfter(0) } } as const;
  const reachedAfter = (seconds: number, parts: Parts = {}): Parts => ({
    phase: 'volume-detach',
    checkpoint: { since: timeAfter(seconds), passed: timedOut },
    ...parts,
  });

  test.each<[string, Parts]>([
    ['has just timed out', reachedAfter(6)],
    ['has timed out by a clock that is ahead', reachedAfter(20, { machine: { drainTimeoutSeconds: 15 } })],
    [
      'has timed out, where our clock is behind what the API server has dated',
      reachedAfter(60, { machine: { deletionTimestamp: after(60) } }),
    ],
  ])('are left alone after a drain that %s: two would send the Machine to and fro', (_which, parts) => {
    expect(decide(back, aSubject(parts)).kind).toBe('wait');
  });

  test('are left alone where no drain is on record', () => {
    expect(decide(back, aSubject({ phase: 'volume-detach' })).kind).toBe('wait');
  });

  test.each<[string, PodVerdict[], Decision['kind']]>([
    ['are drained', [verdict('ns/back')], 'retreat'],
    ['that stay hold nothing', [verdict('ns/daemon', 'Skip')], 'advance'],
  ])('on a Node that nobody hears from %s', (_what, verdicts, kind) => {
    const message =
      kind === 'advance' ? 'the Node is unreachable' : 'Pods that must go have appeared on the Node again';
    expect(decide({ kind: 'unreachable', verdicts })).toMatchObject({ kind, message });
  });

  test.each<[string, PodVerdict]>([
    ['stay', verdict('ns/a', 'Skip')],
    ['have completed', verdict('ns/a', 'WaitCompleted', 0, { phase: 'Failed' })],
  ])('do not include those that %s', (_what, stays) => {
    expect(decide(attached(claim, [stays])).kind).toBe('wait');
  });
});

const failing = (error: string, requeueAfterSeconds: number) => ({
  kind: 'wait',
  until: [{ kind: 'time', at: now + requeueAfterSeconds * 1_000 }],
  report: {
    reason: 'WaitingForVolumeDetach',
    message: 'Error waiting for volumes to be detached from Node, please check controller logs for errors',
    error,
  },
  requeueAfterSeconds,
  events: [
    {
      type: 'Warning',
      reason: 'FailedWaitForVolumeDetach',
      message: `error waiting for node volumes detaching, Machine's node "node-1": ${error}`,
    },
  ],
});

describe('a wait that fails', () => {
  test('over an attachment without a volume says so', () => {
    expect(decide({ kind: 'unjudged', failure: { message: 'not set' } })).toEqual(failing('not set', 20));
  });

  test('because it could not look looks again soon', () => {
    expect(volumeDetach.onUnavailable(aSubject(inPhase()), 'connection refused', now)).toEqual(
      failing('connection refused', 5),
    );
  });
});
