import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Carrier } from './stage/carrier.ts';
import type { ClusterStage } from './stage/cluster-stage.ts';
import { Fleet, resources } from './stage/fleet.ts';
import { days, occasionally } from './stage/occasional.ts';
import { OpenShiftFleet } from './stage/openshift.ts';
import { checkpointOf } from './stage/sights.ts';
import { OriginalFleet } from './stage/v1alpha1.ts';

const phaseOf = (fleet: ClusterStage): string => {
  const machine = fleet.machine('worker-1');
  return machine === undefined ? 'gone' : z.object({ phase: z.string() }).parse(checkpointOf(machine)).phase;
};

type Outage = (fleet: ClusterStage) => () => void;

/** What may be out of reach, one after the other. The Node is heard of again by itself when its kubelet is. */
const outages: Record<string, Outage> = {
  nothing: () => () => undefined,
  'the Node'(fleet) {
    fleet.silence('node-1');
    return () => speaks(fleet);
  },
  'the API of its cluster': (fleet) => fleet.unreachable('blue'),
  'the management API': (fleet) => fleet.unreachable('management'),
  'the provider': (fleet) =>
    fleet.provider.answers({ delete: () => 'unreachable', exists: () => 'unreachable' }),
  'infrastructure and bootstrap': (fleet) =>
    fleet.fail(({ resource }) =>
      resource === resources.infrastructure || resource === resources.bootstrap
        ? { kind: 'unreachable' }
        : undefined,
    ),
};

/** All of it at once comes last. */
const inTurn: [string, Outage][] = [
  ...Object.entries(outages),
  [
    'all of these',
    (fleet) => {
      const ends = Object.values(outages).map((begin) => begin(fleet));
      return () => ends.forEach((end) => end());
    },
  ],
];

function speaks({ server: { cluster }, clock }: ClusterStage): void {
  const lastTransitionTime = new Date(clock.now()).toISOString();
  const condition = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime };
  cluster.patch('nodes', { metadata: { name: 'node-1' } }, { status: { conditions: [condition] } }, 'status');
}

/** The phases of the Machine while one thing after another is out of reach for days, and after its return. */
async function phases(
  { fleet, carrier }: { fleet: ClusterStage; carrier: Carrier },
  without: readonly string[],
) {
  try {
    await fleet.seconds(3);
    fleet.begin();
    fleet.delete('worker-1');
    await fleet.seconds(60);
    const seen: Record<string, string> = {};
    for (const [what, begin] of inTurn.filter(([name]) => !without.includes(name))) {
      const end = begin(fleet);
      await days(fleet, carrier);
      const meanwhile = phaseOf(fleet);
      end();
      await fleet.seconds(120);
      seen[what] = `${meanwhile}, then ${phaseOf(fleet)}`;
    }
    return seen;
  } finally {
    fleet.end();
  }
}

const budgetOf = (fleet: ClusterStage): void => {
  fleet.replicas('web', 1, 'node-1');
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
};

const keepsNode = (fleet: ClusterStage): void =>
  void fleet.fail(({ verb, resource }) =>
    verb === 'delete' && resource === 'nodes' ? { kind: 'answer', code: 403, message: 'denied' } : undefined,
  );

const hook = (point: string) => ({
  annotations: { [`${point}.delete.hook.machine.cluster.x-k8s.io/x`]: '' },
});
const held = { finalizers: ['story/held'] };

function aVolume(fleet: ClusterStage): void {
  fleet.create('volumeattachments.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'data', finalizers: ['external-attacher/csi-example'] },
    spec: { attacher: 'csi.example', nodeName: 'node-1', source: { persistentVolumeName: 'pv-data' } },
    status: { attached: true },
  });
}

const aPodThatNeverGoes = (fleet: ClusterStage): void =>
  void fleet.pod('web', 'node-1', { neverStops: true });

/** On a silent Node the rules of the drain wait for neither. */
const needTheNode = new Set<unknown>([aVolume, aPodThatNeverGoes]);
const withoutNode = (hold: unknown): string[] => (needTheNode.has(hold) ? ['the Node', 'all of these'] : []);

type Worker = NonNullable<Parameters<Fleet['worker']>[1]>;

/** What holds a Machine of Cluster API in a phase. */
const clusterApi: [string, Worker, (fleet: Fleet) => void][] = [
  ['pre-drain', { metadata: hook('pre-drain') }, budgetOf],
  ['drain', {}, budgetOf],
  ['drain', {}, aPodThatNeverGoes],
  ['volume-detach', {}, aVolume],
  ['pre-terminate', { metadata: hook('pre-terminate') }, () => undefined],
  ['infrastructure', { infrastructure: held }, () => undefined],
  ['bootstrap', { bootstrap: held }, () => undefined],
  ['node', {}, keepsNode],
];
const withoutLimits = { deletion: { nodeDeletionTimeoutSeconds: 0 } };

const always = (phase: string, hold: unknown) =>
  Object.fromEntries(
    inTurn
      .filter(([what]) => !withoutNode(hold).includes(what))
      .map(([what]) => [what, `${phase}, then ${phase}`]),
  );

test.each(
  clusterApi.flatMap(([phase, ...parts]) =>
    (['v1beta2', 'v1beta1'] as const).map((version) => [phase, version, ...parts] as const),
  ),
)(
  'the phase %s of Cluster API at %s does not end by time, whatever is out of reach',
  async (phase, version, worker, hold) => {
    const stage = occasionally((parts) => new Fleet({ wakeUps: false }, { ...parts, version }));
    const { fleet } = stage;
    fleet.cluster();
    fleet.worker('worker-1', { spec: withoutLimits, ...worker });
    hold(fleet);
    expect(await phases(stage, withoutNode(hold))).toEqual(always(phase, hold));
  },
);

const openShift: [string, object, (fleet: OpenShiftFleet) => void][] = [
  ['pre-drain', { preDrain: [{ name: 'abc', owner: 'somebody' }] }, budgetOf],
  ['drain', {}, budgetOf],
  ['drain', {}, aPodThatNeverGoes],
  ['pre-terminate', { preTerminate: [{ name: 'abc', owner: 'somebody' }] }, () => undefined],
  ['infrastructure', {}, (fleet) => void fleet.provider.answers({ exists: () => ({ kind: 'exists' }) })],
  ['node', {}, keepsNode],
];

test.each(openShift)(
  'the phase %s of OpenShift does not end by time, whatever is out of reach',
  async (phase, machine, hold) => {
    const stage = occasionally((parts) => new OpenShiftFleet({ wakeUps: false }, parts));
    const { fleet } = stage;
    fleet.machineThatRuns('worker-1', machine);
    hold(fleet);
    expect(await phases(stage, withoutNode(hold))).toEqual(always(phase, hold));
  },
);

const original: [string, (fleet: OriginalFleet) => void][] = [
  [
    'infrastructure',
    (fleet) =>
      void fleet.provider.answers({ delete: () => ({ kind: 'failed', reason: undefined, message: 'x' }) }),
  ],
  ['node', keepsNode],
];

test.each(original)(
  'the phase %s of v1alpha1 does not end by time, whatever is out of reach',
  async (phase, hold) => {
    const stage = occasionally((parts) => new OriginalFleet({ wakeUps: false }, parts));
    const { fleet } = stage;
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
    hold(fleet);
    expect(await phases(stage, withoutNode(hold))).toEqual(always(phase, hold));
  },
);
