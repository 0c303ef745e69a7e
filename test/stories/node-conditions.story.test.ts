import { release } from '../../infra/cli/release/release.ts';
import { conditionsFrom, find } from '../../shared/dialects/conditions.ts';
import { recordAt } from '../../shared/dialects/fields.ts';
import { hook } from './stage/beside/fleet.ts';
import { untilOver } from './stage/beside/terminal.ts';
import type { ClusterStage } from './stage/cluster-stage.ts';
import { type Fleet, resources } from './stage/fleet.ts';
import { besidePeer, openShift, story } from './stage/story.ts';

const group = 'node-conditions';
const env = { PHASEOUT_NODE_CONDITIONS: 'true' };
/** In the place of the API's own controller. */
const shown = { configured: { nodeConditions: true }, environment: env };

const isShown = ({ server: { cluster } }: ClusterStage): boolean => {
  const node = cluster.get('nodes', undefined, 'node-1') ?? {};
  const conditions = conditionsFrom(recordAt(node, 'status')['conditions']);
  return find(conditions, 'DrainInProgress')?.status === 'True';
};

const drainIsUnderWay = async (fleet: ClusterStage): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.until('the Node shows its drain', () => isShown(fleet));
  await fleet.seconds(10);
};

/** Whatever was lost on the way, no living Node keeps the sign of a drain that has ended. */
const noDrainIsLeft = async (fleet: ClusterStage, seconds: number): Promise<void> => {
  await fleet.seconds(seconds);
  if (isShown(fleet)) throw new Error('the Node still shows a drain');
};

const web = (fleet: Fleet, stopSeconds = 20): void => {
  fleet.cluster();
  fleet.pods('web', 2, 'node-1', { stopSeconds, grace: 600 });
};

besidePeer.story(group, 'a drain from its beginning to its end', {
  thorough: true,
  env,
  scene(fleet) {
    web(fleet);
    fleet.held('worker-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

openShift.story(group, 'a Node of OpenShift', {
  ...shown,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('web', 'node-1', { stopSeconds: 20 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a drain that takes too long', {
  ...shown,
  scene(fleet) {
    web(fleet, 600);
    fleet.worker('worker-1', {
      spec: { deletion: { nodeDrainTimeoutSeconds: 30 } },
      infrastructure: { finalizers: ['example.com/kept'] },
    });
  },
  async plot(fleet) {
    await drainIsUnderWay(fleet);
    await noDrainIsLeft(fleet, 90);
    fleet.told.say('the Node is still there');
  },
});

besidePeer.story(group, 'an exclusion that comes in mid-drain lets the Machine go', {
  env,
  scene(fleet) {
    web(fleet);
    fleet.held('worker-1');
  },
  async plot(fleet) {
    await drainIsUnderWay(fleet);
    fleet.annotate('worker-1', { 'machine.cluster.x-k8s.io/exclude-node-draining': '' });
    await fleet.gone('worker-1');
  },
});

besidePeer.story(group, 'paused in mid-drain, and unpaused', {
  thorough: true,
  env,
  scene(fleet) {
    web(fleet, 100);
    fleet.held('worker-1');
  },
  async plot(fleet) {
    await drainIsUnderWay(fleet);
    fleet.annotate('worker-1', { 'cluster.x-k8s.io/paused': '' });
    await noDrainIsLeft(fleet, 70);
    fleet.annotate('worker-1', { 'cluster.x-k8s.io/paused': null });
    await fleet.gone('worker-1');
  },
});

besidePeer.story(group, 'clusterctl move takes the Machine elsewhere in mid-drain', {
  env,
  scene(fleet) {
    web(fleet, 600);
    fleet.held('worker-1');
  },
  async plot(fleet) {
    await drainIsUnderWay(fleet);
    fleet.told.say('clusterctl moves worker-1');
    fleet.annotate('worker-1', { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' });
    await noDrainIsLeft(fleet, 100);
    fleet.change(resources.machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

besidePeer.story(group, 'released in mid-drain, and drained by its own controller', {
  env,
  scene(fleet) {
    web(fleet, 100);
    fleet.held('worker-1');
  },
  async plot(fleet) {
    await drainIsUnderWay(fleet);
    const released = [{ namespace: 'fleet', name: 'worker-1' }];
    await untilOver(fleet, (site) => release(site, { released, installation: '', isDryRun: false }));
    await fleet.gone('worker-1');
  },
});

besidePeer.story(group, 'a hook of others that comes in mid-drain holds it', {
  env,
  scene(fleet) {
    web(fleet);
    fleet.held('worker-1');
  },
  async plot(fleet) {
    await drainIsUnderWay(fleet);
    const other = hook.replace(/phaseout$/, 'other');
    fleet.annotate('worker-1', { [other]: 'somebody' });
    await noDrainIsLeft(fleet, 70);
    fleet.annotate('worker-1', { [other]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'Nodes that may not show it, asked once', {
  ...shown,
  scene(fleet) {
    web(fleet, 100);
    fleet.worker('worker-1');
  },
  async plot(fleet) {
    fleet.fail(({ verb, resource }) =>
      verb === 'patch' && resource === 'nodes/status'
        ? { kind: 'answer', code: 403, message: 'nodes "node-1" is forbidden: deny' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node on which somebody else shows a drain', {
  ...shown,
  scene(fleet) {
    web(fleet);
    fleet.worker('worker-1');
    const { cluster } = fleet.server;
    const node = cluster.get('nodes', undefined, 'node-1');
    const theirs = { type: 'DrainInProgress', status: 'True', reason: 'AdminRequested', message: 'by hand' };
    if (node !== undefined) cluster.patch('nodes', node, { status: { conditions: [theirs] } }, 'status');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
