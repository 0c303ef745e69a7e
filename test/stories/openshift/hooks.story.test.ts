import { type Hook, machines, type OpenShiftFleet } from '../stage/openshift.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/hooks';
const excluded = { 'machine.openshift.io/exclude-node-draining': '' };

const mirrored = { 'kubernetes.io/config.mirror': 'x' };

const backup: Hook = { name: 'BackupFileSystem', owner: 'backup-controller' };
const migrate: Hook = { name: 'MigrateImportantApp', owner: 'app-migration-controller' };
const detach: Hook = { name: 'WaitForStorageDetach', owner: 'storage-detach-controller' };
const etcd: Hook = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };

const goes = async (fleet: OpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'two preDrain hooks, and then one', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [migrate, backup] });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(40);
    fleet.setHooks('worker-1', 'preDrain', [backup]);
    await fleet.seconds(100);
    fleet.setHooks('worker-1', 'preDrain', []);
    await fleet.gone('worker-1');
  },
});

story(group, 'two preTerminate hooks, and then one', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preTerminate: [backup, detach] });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.setHooks('worker-1', 'preTerminate', [detach]);
    await fleet.seconds(100);
    fleet.setHooks('worker-1', 'preTerminate', []);
    await fleet.gone('worker-1');
  },
});

story(group, 'hooks that come late are refused', {
  hasPolicy: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [migrate], preTerminate: [backup] });
  },
  async plot(fleet) {
    fleet.setHooks('worker-1', 'preDrain', [migrate, detach]);
    fleet.setHooks('worker-1', 'preDrain', [migrate]);
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.setHooks('worker-1', 'preDrain', [migrate, detach]);
    fleet.setHooks('worker-1', 'preTerminate', [{ ...backup, owner: 'somebody-else' }]);
    fleet.setHooks('worker-1', 'preDrain', []);
    fleet.setHooks('worker-1', 'preTerminate', []);
    await fleet.gone('worker-1');
  },
});

story(group, 'a preTerminate hook that comes late where nothing refuses it', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', {
      metadata: { annotations: { 'local.phaseout.dev/stop-seconds': '300' } },
    });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.setHooks('worker-1', 'preTerminate', [backup]);
    await fleet.seconds(400);
    fleet.setHooks('worker-1', 'preTerminate', []);
    await fleet.gone('worker-1');
  },
});

story(group, 'a preDrain hook that comes after the drain holds nothing', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preTerminate: [backup] });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.setHooks('worker-1', 'preDrain', [migrate]);
    fleet.setHooks('worker-1', 'preTerminate', []);
    await fleet.gone('worker-1');
  },
});

story(group, 'a preDrain hook on a Machine that is excluded from the drain', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [migrate], metadata: { annotations: excluded } });
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'a preDrain hook on a Machine without a Node', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [migrate], node: null, status: { nodeRef: null } });
  },
  plot: goes,
});

story(group, 'a preDrain hook whose Machine is excluded from the drain later', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [migrate] });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', excluded);
    await fleet.gone('worker-1');
  },
});

story(group, 'the quorum of etcd is kept until a fourth member has joined', {
  thorough: true,
  hasPolicy: true,
  scene(fleet) {
    fleet.controlPlane({ preDrain: [etcd] });
    fleet.pod('etcd-master-1', 'master-1', { annotations: mirrored, stays: true });
  },
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.seconds(60);
    fleet.told.say('a fourth control plane Machine comes');
    fleet.machineThatRuns('master-4', { role: 'master', preDrain: [etcd] });
    await fleet.seconds(120);
    fleet.told.say('its member of etcd is promoted');
    fleet.setHooks('master-1', 'preDrain', []);
    await fleet.gone('master-1');
  },
});

story(group, 'a hook that its owner takes away with the exclusion from the drain at once', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [migrate], preTerminate: [backup] });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('all hooks go, and the Machine is excluded from the drain');
    fleet.change(machines, 'worker-1', {
      metadata: { annotations: excluded },
      spec: { lifecycleHooks: null },
    });
    await fleet.gone('worker-1');
  },
});
