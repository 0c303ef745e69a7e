import { recordAt } from '../../shared/dialects/fields.ts';
import { type Fleet, type FleetParts, resources } from '../stories/stage/fleet.ts';
import { Recorded } from './recorded.ts';
import {
  attach,
  benchPod,
  mixed,
  saidBefore,
  selecting,
  tenBehindABudget,
  unreachable,
  volumes,
} from './scenes.ts';

export interface Pass extends Pick<FleetParts, 'without'> {
  /** The recording, and what its Machine and Node are called there. */
  recorded: readonly [file: string, name: string];
  scene(fleet: Fleet, recorded: Recorded): void;
  /** From the deletion to the moment of the recording. */
  plot(fleet: Fleet): Promise<void>;
}

const timeouts = (fields: object) => ({ spec: { deletion: { nodeDeletionTimeoutSeconds: 10, ...fields } } });
const hook = (point: string, name: string) => `${point}.delete.hook.machine.cluster.x-k8s.io/${name}`;
const holds = { finalizers: ['peer/hold'] };

const deletes =
  (seconds: number) =>
  async (stage: Fleet): Promise<void> => {
    stage.delete('worker-1');
    await stage.seconds(seconds);
  };

/** Each recorded situation, built again. */
export const passes: Record<string, Pass> = {
  'two pre-drain hooks': {
    recorded: ['10-pre-drain-hook', 'g-predrain-yam8'],
    scene: (stage) =>
      stage.worker('worker-1', {
        metadata: {
          annotations: { [hook('pre-drain', 'a')]: 'owner-a', [hook('pre-drain', 'b')]: 'owner-b' },
        },
      }),
    plot: deletes(0),
  },
  'one of two pre-drain hooks': {
    recorded: ['11-pre-drain-hook-one-left', 'g-predrain-yam8'],
    scene: (stage) =>
      stage.worker('worker-1', {
        metadata: {
          annotations: { [hook('pre-drain', 'a')]: 'owner-a', [hook('pre-drain', 'b')]: 'owner-b' },
        },
      }),
    async plot(stage) {
      await deletes(3)(stage);
      stage.annotate('worker-1', { [hook('pre-drain', 'a')]: null });
      await stage.seconds(0);
    },
  },
  'a budget that allows nothing': {
    recorded: ['20-draining-pdb-blocked', 'g-pdb-yam8'],
    scene: (stage) => tenBehindABudget(stage),
    plot: deletes(0),
  },
  'a budget that still allows nothing after 40 s': {
    recorded: ['21-draining-pdb-blocked-after-40s', 'g-pdb-yam8'],
    scene: (stage) => tenBehindABudget(stage),
    plot: deletes(43),
  },
  'two budgets over each Pod': {
    recorded: ['23-draining-two-pdbs', 'g-evict-yam8'],
    scene(stage) {
      stage.worker('worker-1');
      stage.budget('one', selecting('x'), 'bench');
      stage.budget('two', selecting('x'), 'bench');
      for (const name of ['9pfn5', 'bszl5']) benchPod(stage, `g-evict-yam8-${name}`, { app: 'x' });
    },
    plot: deletes(0),
  },
  'completion that is waited for before everything else': {
    recorded: ['24-draining-mixed', 'g-mix-yam8'],
    scene(stage, recorded) {
      mixed(stage, recorded);
      for (const name of ['late0', 'late1', 'late2', 'late3', 'late4'])
        benchPod(stage, `g-mix-yam8-${name}`, { wave: 'late' });
      benchPod(stage, 'g-mix-yam8-waitnow', { wave: 'wait-early' });
      benchPod(stage, 'g-mix-yam8-waitlater', { wave: 'wait-late' });
      for (const name of ['bl0', 'bl1']) benchPod(stage, `g-mix-yam8-${name}`, { wave: 'early', app: 'bl' });
      for (const name of ['hold0', 'hold1', 'hold2', 'hold3'])
        benchPod(stage, `g-mix-yam8-${name}`, { wave: 'early' });
    },
    plot: deletes(0),
  },
  'terminating, behind one budget, behind two, later and left alone': {
    recorded: ['24b-draining-mixed-no-waitcompleted', 'g-mix2-yam8'],
    scene(stage, recorded) {
      mixed(stage, recorded);
      for (const [index, wave] of ['late', 'late', 'late', 'late', 'later'].entries())
        benchPod(stage, `g-mix2-yam8-late${index}`, { wave });
      for (const name of ['bl0', 'bl1']) benchPod(stage, `g-mix2-yam8-${name}`, { wave: 'early', app: 'bl' });
      for (const name of ['dbl0', 'dbl1'])
        benchPod(stage, `g-mix2-yam8-${name}`, { wave: 'early', app: 'dbl' });
      for (const name of ['hold0', 'hold1', 'hold2', 'hold3', 'hold4'])
        benchPod(stage, `g-mix2-yam8-${name}`, { wave: 'early' });
      stage.budget('g-mix2-yam8', selecting('bl'), 'bench');
      stage.budget('dbl-1', selecting('dbl'), 'bench');
      stage.budget('dbl-2', selecting('dbl'), 'bench');
    },
    plot: deletes(0),
  },
  'Pods that do not go': {
    recorded: ['25-draining-terminating', 'g-term-yam8'],
    scene(stage) {
      stage.worker('worker-1');
      for (const name of ['p0', 'p1', 'p2', 'p3', 'p4']) benchPod(stage, `g-term-yam8-${name}`, {});
    },
    plot: deletes(0),
  },
  'a Node that is unreachable': {
    recorded: ['26-draining-unreachable', 'g-unreach-yam8'],
    scene: unreachable,
    plot: deletes(0),
  },
  'a Node that is unreachable, and Pods that are left behind': {
    recorded: ['27-unreachable-drain-skipped', 'g-unreach-yam8'],
    scene: unreachable,
    plot: deletes(20),
  },
  'a drain that took too long': {
    recorded: ['28-drain-timeout-passed', 'g-dto-yam8'],
    scene(stage) {
      stage.worker('worker-1', {
        ...timeouts({ nodeDrainTimeoutSeconds: 25 }),
        metadata: { annotations: { [hook('pre-terminate', 'x')]: '' } },
      });
      for (const name of ['lz2cj', 'zcfg4']) benchPod(stage, `g-dto-yam8-${name}`, { app: 'x' });
      stage.budget('g-dto-yam8', selecting('x'), 'bench');
    },
    plot: deletes(40),
  },
  'no drain and no wait for volumes': {
    recorded: ['29-drain-excluded', 'g-excl-yam8'],
    scene: (stage) =>
      stage.worker('worker-1', {
        metadata: {
          annotations: {
            'machine.cluster.x-k8s.io/exclude-node-draining': '',
            'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
            [hook('pre-terminate', 'x')]: '',
          },
        },
      }),
    plot: deletes(0),
  },
  'a claim whose volume is attached': {
    recorded: ['30-waiting-for-volume-detach', 'g-vol-yam8'],
    without: ['volume-attachment'],
    scene: (stage, recorded) => volumes(stage, recorded),
    plot: deletes(1),
  },
  'all that can be attached': {
    recorded: ['31-waiting-for-volume-detach-all', 'g-vol-yam8'],
    without: ['volume-attachment'],
    scene(stage, recorded) {
      volumes(stage, recorded);
      const first = new Recorded('30-waiting-for-volume-detach');
      for (const object of [...first.of('PersistentVolume'), ...first.of('VolumeAttachment')])
        attach(stage, object);
      attach(stage, {
        ...first.of('PersistentVolume')[0]!,
        metadata: { name: 'g-vol-yam8-2' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          csi: { driver: 'csi.peer', volumeHandle: 'h-g-vol-yam8-2' },
          persistentVolumeReclaimPolicy: 'Retain',
        },
      });
      for (const name of ['g-vol-yam8-2', 'g-vol-yam8-missing'])
        attach(stage, {
          ...first.of('VolumeAttachment')[0]!,
          metadata: { name },
          spec: { attacher: 'csi.peer', nodeName: 'node-1', source: { persistentVolumeName: name } },
        });
    },
    plot: deletes(1),
  },
  'two pre-terminate hooks': {
    recorded: ['40-pre-terminate-hook', 'g-preterm-yam8'],
    scene(stage) {
      stage.worker('worker-1', {
        metadata: {
          annotations: { [hook('pre-terminate', 'backup')]: 'x', [hook('pre-terminate', 'etcd')]: 'y' },
        },
      });
      stage.pod('p', 'node-1', { namespace: 'bench' });
    },
    plot: deletes(20),
  },
  'infrastructure that does not go': {
    recorded: ['50-waiting-for-infrastructure', 'g-infra-yam8'],
    scene: (stage) => stage.worker('worker-1', { infrastructure: holds, bootstrap: holds }),
    plot: deletes(2),
  },
  'a bootstrap config that does not go': {
    recorded: ['51-waiting-for-bootstrap', 'g-infra-yam8'],
    scene: (stage) => stage.worker('worker-1', { infrastructure: holds, bootstrap: holds }),
    async plot(stage) {
      await deletes(3)(stage);
      stage.change(resources.infrastructure, 'worker-1', { metadata: { finalizers: [] } });
      await stage.seconds(1);
    },
  },
  'a Node that cannot be deleted': {
    without: ['server-power'],
    recorded: ['60-deleting-node-error', 'g-nodefail-yam8'],
    scene: (stage) => stage.worker('worker-1', timeouts({ nodeDeletionTimeoutSeconds: 40 })),
    async plot(stage) {
      stage.fail(({ verb, resource }) =>
        verb === 'delete' && resource === 'nodes'
          ? {
              kind: 'answer',
              code: 403,
              message:
                "nodes \"node-1\" is forbidden: ValidatingAdmissionPolicy 'keep-node' with binding 'keep-node' denied request: node is kept",
            }
          : undefined,
      );
      await deletes(12)(stage);
    },
  },
  'a Node that is gone': {
    recorded: ['71-node-missing', 'g-nonode-yam8'],
    scene(stage) {
      const before = recordAt(new Recorded('70-node-missing-before-delete').machine, 'status');
      stage.worker('worker-1', {
        status: { ...before, nodeRef: { name: 'node-1' } },
        metadata: { annotations: { [hook('pre-terminate', 'x')]: '' } },
        node: null,
      });
    },
    plot: deletes(1),
  },
  'a Machine that is paused': {
    recorded: ['80-paused', 'g-paused-yam8'],
    scene: (stage, recorded) =>
      stage.worker('worker-1', {
        ...saidBefore(recorded, ['Paused']),
        metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } },
      }),
    plot: deletes(5),
  },
};
