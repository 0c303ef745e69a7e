import { expect, it } from 'vitest';
import type { Conditions } from '../stage/conditions.ts';
import type { OpenShiftFleet } from '../stage/openshift.ts';
import { besideStories, openShift } from '../stage/story.ts';

const { story, play } = openShift;
const group = 'openshift/control-plane';

function aControlPlaneWithPods(fleet: OpenShiftFleet): void {
  fleet.controlPlane();
  fleet.pod('api-1', 'master-1', { stopSeconds: 40 });
  fleet.pod('api-2', 'master-2', { stopSeconds: 5 });
}

async function twoGo(fleet: OpenShiftFleet): Promise<void> {
  fleet.delete('master-1');
  fleet.delete('master-2');
  await fleet.gone('master-1');
  await fleet.gone('master-2');
}

const cordon = (fleet: OpenShiftFleet, node: string, unschedulable: boolean): void => {
  fleet.told.say(`somebody ${unschedulable ? 'cordons' : 'uncordons'} ${node}`);
  fleet.server.cluster.patch('nodes', { metadata: { name: node } }, { spec: { unschedulable } });
};

story(group, 'two control plane Machines that are deleted at once', {
  thorough: true,
  scene: aControlPlaneWithPods,
  plot: twoGo,
});

story(group, 'a control plane Node beside one that somebody has cordoned', {
  thorough: true,
  scene: (fleet) => fleet.controlPlane(),
  async plot(fleet) {
    cordon(fleet, 'master-3', true);
    fleet.delete('master-1');
    await fleet.seconds(130);
    cordon(fleet, 'master-3', false);
    await fleet.gone('master-1');
  },
});

story(group, 'a control plane Node that is cordoned itself', {
  scene: (fleet) => fleet.controlPlane(),
  async plot(fleet) {
    cordon(fleet, 'master-1', true);
    cordon(fleet, 'master-3', true);
    fleet.delete('master-1');
    await fleet.gone('master-1');
  },
});

story(group, 'a control plane Node that somebody uncordons in mid-drain, to cordon another one', {
  thorough: true,
  scene: aControlPlaneWithPods,
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.seconds(28);
    cordon(fleet, 'master-1', false);
    cordon(fleet, 'master-3', true);
    await fleet.seconds(60);
    cordon(fleet, 'master-3', false);
    await fleet.gone('master-1');
  },
});

story(group, 'a worker beside a control plane Node that is cordoned', {
  scene(fleet) {
    fleet.controlPlane();
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    cordon(fleet, 'master-3', true);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'the last control plane Machine goes like any other', {
  scene: (fleet) => fleet.machineThatRuns('master-1', { role: 'master' }),
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.gone('master-1');
  },
});

story(group, 'a Lease that an instance has left behind', {
  scene(fleet) {
    fleet.controlPlane();
    const renewTime = new Date(fleet.clock.now()).toISOString().replace('Z', '000Z');
    fleet.create('leases.coordination.k8s.io', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'phaseout-control-plane-cordon', namespace: 'openshift-machine-api' },
      spec: { holderIdentity: 'gone', leaseDurationSeconds: 30, acquireTime: renewTime, renewTime },
    });
  },
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.gone('master-1');
  },
});

besideStories(() => {
  /** What is unsafe on the way fails the play. */
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never two at once, in the disorder of seed %i, with three instances',
    async (seed) => {
      const conditions: Conditions = {
        instances: 3,
        repeats: 2,
        latencyMilliseconds: 700,
        delayMilliseconds: 2_000,
        seed,
      };
      const { end } = await play({ scene: aControlPlaneWithPods, plot: twoGo }, conditions);
      expect(end['machines']).toStrictEqual({ 'master-3': expect.any(String) });
    },
  );
});
