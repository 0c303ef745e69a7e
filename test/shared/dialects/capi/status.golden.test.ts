import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { Observed } from '../../../../shared/dialects/gate.ts';
import type { StatusInput } from '../../../../shared/dialects/status-input.ts';
import type { KubeObject, Node } from '../../../../shared/kubernetes/objects.ts';
import type { Phase } from '../../../../shared/machine/phase.ts';
import type { Report } from '../../../../shared/machine/report.ts';
import type { Passed } from '../../../../shared/phase/decision.ts';
import { aMachine } from '../../../builders/cluster-api.ts';
import {
  asV1Beta1,
  type RecordedStatus,
  type Recording,
  recording,
  runningStatus,
  statusAsV1Beta1,
} from './golden.ts';

const at = (time: string) => `2026-11-20T${time}Z`;

/** One writing of the status. Times are of the recordings' day. */
interface Step {
  now: string;
  phase: Phase;
  since?: string;
  passed?: Record<string, [as: NonNullable<Passed[Phase]>['as'], since: string]>;
  report?: Report;
  infrastructure?: Observed;
  bootstrap?: Observed;
  node?: Observed<Node>;
  paused?: string[];
}

interface Story {
  file: string;
  steps(golden: Recording): Step[];
  /** What was unusual before the deletion. */
  before?(status: RecordedStatus): RecordedStatus;
  /** `status.deletion` fields that the recorded release did not have yet. */
  times?: Record<string, string>;
}

const anInfrastructure: KubeObject = {
  kind: 'GenericInfrastructureMachine',
  metadata: { name: 'infra' },
  status: { initialization: { provisioned: true }, ready: true },
};
const aBootstrapConfig: KubeObject = {
  kind: 'GenericBootstrapConfig',
  metadata: { name: 'boot' },
  status: { initialization: { dataSecretCreated: true }, ready: true },
};

const present = <T extends KubeObject>(object: T): Observed<T> => ({ kind: 'present', object });
const absent: Observed = { kind: 'absent' };

const deletingMessage = ({ machine }: Recording): string =>
  machine.status.conditions.find(({ type }) => type === 'Deleting')?.message ?? '';
const drainingMessage = ({ machine }: Recording): string =>
  machine.status.deprecated.v1beta1.conditions.find(({ type }) => type === 'DrainingSucceeded')?.message ??
  '';

const draining =
  (now: string) =>
  (golden: Recording): Step[] => [
    {
      now,
      phase: 'drain' as const,
      report: { reason: 'DrainingNode' as const, message: deletingMessage(golden) },
    },
  ];

const hookAnnotations = (point: string, names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${point}.delete.hook.machine.cluster.x-k8s.io/${name}`, '']));

const waitingForHook = (point: 'pre-drain' | 'pre-terminate', names: string[]): Report => ({
  reason: point === 'pre-drain' ? 'WaitingForPreDrainHook' : 'WaitingForPreTerminateHook',
  message: clusterApi.hookMessage(aMachine({ annotations: hookAnnotations(point, names) }), point),
});

const waitingForObject = (kind: 'Infrastructure' | 'Bootstrap', name: string): Report => ({
  reason: `WaitingFor${kind}Deletion`,
  message: `Waiting for ${name} to be deleted`,
});

const nodeUnreachable = (status: RecordedStatus): RecordedStatus => ({
  ...status,
  conditions: status.conditions.map((condition) => {
    if (condition.type === 'Ready') {
      return { ...condition, status: 'Unknown', reason: 'ReadyUnknown', lastTransitionTime: at('12:18:04') };
    }
    if (condition.type !== 'Available') return condition;
    return { ...condition, status: 'False', reason: 'NotReady', lastTransitionTime: at('12:18:04') };
  }),
});

const stories: Story[] = [
  {
    file: '10-pre-drain-hook',
    steps: () => [{ now: '12:14:30', phase: 'pre-drain', report: waitingForHook('pre-drain', ['a', 'b']) }],
    times: { waitForPreDrainHookStartTime: at('12:14:30') },
  },
  {
    file: '11-pre-drain-hook-one-left',
    steps: () => [
      { now: '12:14:30', phase: 'pre-drain', report: waitingForHook('pre-drain', ['a', 'b']) },
      { now: '12:14:33', phase: 'pre-drain', since: '12:14:30', report: waitingForHook('pre-drain', ['b']) },
    ],
    times: { waitForPreDrainHookStartTime: at('12:14:30') },
  },
  { file: '20-draining-pdb-blocked', steps: draining('12:15:02') },
  {
    file: '21-draining-pdb-blocked-after-40s',
    steps: (golden) => [
      ...draining('12:15:02')(golden),
      { ...draining('12:15:45')(golden)[0]!, since: '12:15:02' },
    ],
  },
  { file: '23-draining-two-pdbs', steps: draining('12:16:11') },
  { file: '24-draining-mixed', steps: draining('12:16:40') },
  { file: '24b-draining-mixed-no-waitcompleted', steps: draining('12:17:11') },
  { file: '25-draining-terminating', steps: draining('12:17:38') },
  { file: '26-draining-unreachable', steps: draining('12:18:06'), before: nodeUnreachable },
  {
    file: '27-unreachable-drain-skipped',
    before: nodeUnreachable,
    steps: () => [
      { now: '12:18:06', phase: 'drain', report: { reason: 'DrainingNode', message: 'two Pods are left' } },
      {
        now: '12:18:26',
        phase: 'pre-terminate',
        passed: { drain: ['done', '12:18:06'], 'volume-detach': ['done', '12:18:26'] },
        report: waitingForHook('pre-terminate', ['x']),
      },
    ],
    times: { waitForPreTerminateHookStartTime: at('12:18:26') },
  },
  {
    file: '28-drain-timeout-passed',
    steps: (golden) => [
      {
        now: '12:18:34',
        phase: 'drain',
        report: { reason: 'DrainingNode', message: drainingMessage(golden) },
      },
      {
        now: '12:19:14',
        phase: 'pre-terminate',
        passed: { drain: ['timed-out', '12:18:34'], 'volume-detach': ['done', '12:19:14'] },
        report: waitingForHook('pre-terminate', ['x']),
      },
    ],
    times: { waitForPreTerminateHookStartTime: at('12:19:14') },
  },
  {
    file: '29-drain-excluded',
    steps: () => [
      {
        now: '12:19:21',
        phase: 'pre-terminate',
        passed: { drain: ['excluded', '12:19:21'], 'volume-detach': ['excluded', '12:19:21'] },
        report: waitingForHook('pre-terminate', ['x']),
      },
    ],
    times: { waitForPreTerminateHookStartTime: at('12:19:21') },
  },
  {
    file: '30-waiting-for-volume-detach',
    steps: (golden) => [
      {
        now: '12:19:30',
        phase: 'volume-detach',
        passed: { drain: ['done', '12:19:30'] },
        report: { reason: 'WaitingForVolumeDetach', message: deletingMessage(golden) },
      },
    ],
  },
  {
    file: '31-waiting-for-volume-detach-all',
    steps: (golden) => [
      {
        now: '12:19:30',
        phase: 'volume-detach',
        passed: { drain: ['done', '12:19:30'] },
        report: { reason: 'WaitingForVolumeDetach', message: 'a claim is left' },
      },
      {
        now: '12:19:50',
        phase: 'volume-detach',
        since: '12:19:30',
        passed: { drain: ['done', '12:19:30'] },
        report: { reason: 'WaitingForVolumeDetach', message: deletingMessage(golden) },
      },
    ],
  },
  {
    file: '40-pre-terminate-hook',
    steps: () => [
      { now: '12:20:16', phase: 'drain', report: { reason: 'DrainingNode', message: 'one Pod is left' } },
      {
        now: '12:20:36',
        phase: 'pre-terminate',
        passed: { drain: ['done', '12:20:16'], 'volume-detach': ['done', '12:20:36'] },
        report: waitingForHook('pre-terminate', ['backup', 'etcd']),
      },
    ],
    times: { waitForPreTerminateHookStartTime: at('12:20:36') },
  },
  { file: '50-waiting-for-infrastructure', steps: untilInfrastructureGoes },
  {
    file: '51-waiting-for-bootstrap',
    steps: (golden) => [
      ...untilInfrastructureGoes(recording('50-waiting-for-infrastructure')),
      {
        now: '12:20:50',
        phase: 'bootstrap',
        passed: { ...drained('12:20:47'), infrastructure: ['done', '12:20:47'] },
        report: waitingForObject('Bootstrap', 'GenericBootstrapConfig'),
        infrastructure: absent,
        bootstrap: present(golden.object('GenericBootstrapConfig')),
      },
    ],
  },
  {
    file: '60-deleting-node-error',
    steps: () => [
      { now: '12:20:59', phase: 'infrastructure', passed: drained('12:20:59') },
      {
        now: '12:21:00',
        phase: 'bootstrap',
        passed: { ...drained('12:20:59'), infrastructure: ['done', '12:20:59'] },
        infrastructure: absent,
      },
      {
        now: '12:21:11',
        phase: 'node',
        passed: {
          ...drained('12:20:59'),
          infrastructure: ['done', '12:20:59'],
          bootstrap: ['done', '12:21:00'],
        },
        report: {
          reason: 'DeletingNode',
          message: 'Error deleting Node, please check controller logs for errors',
          error: 'nodes "n" is forbidden',
        },
        infrastructure: { kind: 'unseen' },
        bootstrap: { kind: 'unseen' },
      },
    ],
  },
  {
    file: '71-node-missing',
    before: () => recording('70-node-missing-before-delete').machine.status,
    // Cluster API writes that a drain has begun before it finds out that there is no Node.
    steps: () => [
      { now: '12:21:53', phase: 'drain', node: { kind: 'absent' } },
      {
        now: '12:21:53',
        phase: 'pre-terminate',
        passed: drained('12:21:53'),
        report: waitingForHook('pre-terminate', ['x']),
        node: { kind: 'absent' },
      },
    ],
    times: { waitForPreTerminateHookStartTime: at('12:21:53') },
  },
  {
    file: '80-paused',
    steps: () => [
      {
        now: '12:22:01',
        phase: 'pre-drain',
        paused: ['Machine has the cluster.x-k8s.io/paused annotation'],
        report: { reason: 'Paused', message: 'Machine has the cluster.x-k8s.io/paused annotation' },
      },
    ],
  },
];

function drained(time: string): NonNullable<Step['passed']> {
  return { drain: ['done', time], 'volume-detach': ['done', time] };
}

function untilInfrastructureGoes(golden: Recording): Step[] {
  const report = waitingForObject('Infrastructure', 'GenericInfrastructureMachine');
  const step: Step = { now: '12:20:47', phase: 'infrastructure', passed: drained('12:20:47'), report };
  const terminating = present(golden.object('GenericInfrastructureMachine'));
  return [step, { ...step, now: '12:20:48', since: '12:20:47', infrastructure: terminating }];
}

function inputOf(step: Step, raw: KubeObject, node: Node | undefined): StatusInput {
  const passed = Object.entries(step.passed ?? {}).map(
    ([phase, [as, since]]) => [phase, { as, since: at(since) }] as const,
  );
  return {
    machine: clusterApi.read(raw),
    checkpoint: {
      v: 1,
      uid: raw.metadata.uid!,
      seq: 1,
      phase: step.phase,
      since: at(step.since ?? step.now),
      passed: Object.fromEntries(passed),
    },
    report: step.report,
    paused: step.paused ?? [],
    cluster: undefined,
    infrastructure: step.infrastructure ?? present(anInfrastructure),
    bootstrap: step.bootstrap ?? present(aBootstrapConfig),
    node: step.node ?? present(node!),
    now: Date.parse(at(step.now)),
  };
}

/** Plays the story on a Machine in the given form and returns the status it ends with. */
function played(
  story: Story,
  golden: Recording,
  form: (machine: Recording['machine']) => KubeObject,
): unknown {
  const wasRunning = runningStatus(golden.machine.status, at('12:00:00'));
  const status = story.before?.(wasRunning) ?? wasRunning;
  let machine: KubeObject = form({ ...golden.machine, status });
  for (const step of story.steps(golden)) {
    machine = { ...machine, status: clusterApi.status(inputOf(step, machine, golden.node)) };
  }
  return machine['status'];
}

const expectedStatus = (story: Story, { machine }: Recording) =>
  story.times === undefined
    ? machine.status
    : { ...machine.status, deletion: { ...machine.status.deletion, ...story.times } };

describe.each(stories)('the status Cluster API wrote in $file', (story) => {
  const golden = recording(story.file);

  test('is what v1beta2 clients see', () => {
    expect(played(story, golden, (machine) => machine)).toEqual(expectedStatus(story, golden));
  });

  test('is what v1beta1 clients see', () => {
    expect(played(story, golden, asV1Beta1)).toEqual(statusAsV1Beta1(expectedStatus(story, golden)));
  });
});
