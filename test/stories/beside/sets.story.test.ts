import { type BesideFleet, settings } from '../stage/beside/fleet.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/sets';
const sets = 'machinesets.cluster.x-k8s.io';
const twenty = Array.from({ length: 20 }, (_, index) => `worker-${index + 1}`);
const five = twenty.slice(0, 5);

const scaled = (fleet: BesideFleet, name: string, replicas: number): void => {
  fleet.told.say(`the set ${name} is scaled to ${replicas}`);
  fleet.change(sets, name, { spec: { replicas } });
};

story(group, 'a storm of remediations, on Nodes that have fallen silent', {
  scene(fleet) {
    fleet.cluster();
    for (const name of five) {
      fleet.held(name);
      fleet.pod(`web-${name}`, name.replace('worker', 'node'));
    }
  },
  async plot(fleet) {
    for (const name of five) fleet.silence(name.replace('worker', 'node'));
    await fleet.seconds(60);
    fleet.told.say('a MachineHealthCheck deletes them all');
    for (const name of five) fleet.delete(name);
    for (const name of five) await fleet.gone(name);
  },
});

story(group, 'a rollout with one Machine more than usual at a time', {
  also: ['machine-sets'],
  scene(fleet) {
    fleet.cluster();
    const { ownerReferences = [] } = fleet.machineSet('old', { replicas: 2, deletion: { order: 'Oldest' } });
    const metadata = { ownerReferences, labels: { set: 'old' } };
    for (const name of ['worker-1', 'worker-2']) fleet.held(name, { metadata });
    fleet.replicas('web', 2, 'node-1');
    fleet.budget('web', { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
    fleet.pod('api', 'node-2');
  },
  async plot(fleet) {
    for (const [old, next] of [
      ['worker-1', 'worker-3'],
      ['worker-2', 'worker-4'],
    ] as const) {
      fleet.told.say(`the rollout makes ${next}`);
      fleet.worker(next);
      await fleet.until('the hook is on', () => fleet.isHeld(next));
      fleet.annotate(old, { 'cluster.x-k8s.io/delete-machine': '' });
      scaled(fleet, 'old', old === 'worker-1' ? 1 : 0);
      await fleet.gone(old);
    }
    fleet.told.say(`alive: ${fleet.alive().join(', ')}`);
  },
});

story(group, 'phaseout is installed while twenty Machines are being deleted', {
  scene(fleet) {
    fleet.cluster();
    for (const name of twenty) {
      fleet.worker(name);
      fleet.pod(`web-${name}`, name.replace('worker', 'node'), { grace: 100, stopSeconds: 50 });
    }
    fleet.worker('worker-21');
  },
  async plot(fleet) {
    const back = fleet.away();
    for (const name of twenty) fleet.delete(name);
    await fleet.seconds(10);
    fleet.told.say('phaseout is installed');
    back();
    for (const name of twenty) await fleet.gone(name);
    await fleet.until('the hook is on', () => fleet.isHeld('worker-21'));
  },
});

story(group, 'two installations, each with its Machines', {
  env: { PHASEOUT_BESIDE_SELECTOR: 'team=blue', PHASEOUT_INSTALLATION: 'blue' },
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { metadata: { labels: { team: 'blue' } } });
    fleet.worker('worker-2', { metadata: { labels: { team: 'green' } } });
    fleet.pod('web', 'node-1');
    fleet.pod('api', 'node-2');
  },
  async plot(fleet) {
    fleet.installAnother(
      settings({ PHASEOUT_BESIDE_SELECTOR: 'team=green', PHASEOUT_INSTALLATION: 'green' }),
    );
    await fleet.seconds(62);
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.gone('worker-1');
    await fleet.gone('worker-2');
  },
});

story(group, 'two installations that want the same Machine', {
  env: { PHASEOUT_INSTALLATION: 'blue' },
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.installAnother(settings({ PHASEOUT_INSTALLATION: 'green' }));
    await fleet.seconds(130);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
