import { release } from '../../../infra/cli/release/release.ts';
import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/pre-terminate-leaving';
const beside = hookDefinitions;
const minute = 60;

const done = { state: 'Done', message: 'wiped' } as const;

function aWorker(fleet: BesideFleet, spec: object = {}): void {
  fleet.cluster();
  fleet.heldToTheEnd('worker-1');
  fleet.pod('web', 'node-1');
  fleet.deletionHook('wipe', { at: 'PreTerminate', ...spec });
  fleet.hookFunctions.serve('wipe', () => ({ state: 'Working' }));
}

async function goes(fleet: BesideFleet): Promise<() => void> {
  fleet.startDeadMan();
  fleet.delete('worker-1');
  await fleet.seconds(20);
  fleet.told.say('phaseout is gone');
  return fleet.away();
}

/** As deploy takes our hook off that changes the mode. */
const letGo = (fleet: BesideFleet): void =>
  fleet.annotate('worker-1', {
    'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout': null,
    'phaseout.dev/registered-pre-terminate': null,
  });

const toldOn = (fleet: BesideFleet): string[] =>
  fleet.server.cluster
    .list('events')
    .filter((event) => event['reason'] === 'DeletionHeld')
    .map((event) => `${String(event['firstTimestamp'])} ${String(event['message'])}`);

story(group, 'phaseout goes for good, and the hook watchdog lets go where the DeletionHook says Proceed', {
  beside,
  env: alive,
  scene: (fleet) => aWorker(fleet, { whenGone: 'Proceed' }),
  async plot(fleet) {
    const back = await goes(fleet);
    await fleet.gone('worker-1');
    back();
  },
});

story(group, 'phaseout goes for good, and the hook watchdog tells each hour who holds the server', {
  beside,
  env: alive,
  scene(fleet) {
    aWorker(fleet);
    fleet.deletionHook('move', { at: 'PreTerminate', whenGone: 'Proceed' });
  },
  async plot(fleet) {
    const back = await goes(fleet);
    await fleet.seconds(150 * minute);
    for (const told of toldOn(fleet)) fleet.told.say(told);
    fleet.told.say(`the hook is on worker-1: ${fleet.isHeldToTheEnd('worker-1')}`);
    fleet.told.say('phaseout is back');
    for (const name of ['wipe', 'move']) fleet.hookFunctions.serve(name, () => done);
    back();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine whose function is at work is released once the user agrees', {
  beside,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    const released = [{ namespace: 'fleet', name: 'worker-1' }];
    const how = { released, installation: '', isDryRun: false };
    await untilOver(fleet, (site) =>
      release(site, how).catch((error: unknown) => fleet.told.say(`release: ${String(error)}`)),
    );
    fleet.told.say(`the hook is on worker-1: ${fleet.isHeldToTheEnd('worker-1')}`);
    await untilOver(fleet, (site) => release(site, { ...how, isAgreed: true }));
    await fleet.gone('worker-1');
  },
});

story(group, 'from beside to replace and back while a function is at work', {
  beside,
  env: alive,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say('the peer rests, and phaseout takes its place');
    fleet.stopPeer();
    fleet.reinstall({ PHASEOUT_MODE: 'capi:replace' });
    letGo(fleet);
    await fleet.seconds(70);
    fleet.told.say('phaseout works beside the peer again');
    fleet.reinstall(alive);
    fleet.startPeer();
    await fleet.gone('worker-1');
  },
});

story(group, 'from beside to replace while a function is at work', {
  beside,
  env: alive,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say('the peer rests, and phaseout takes its place');
    fleet.stopPeer();
    fleet.reinstall({ PHASEOUT_MODE: 'capi:replace' });
    letGo(fleet);
    await fleet.seconds(70);
    fleet.hookFunctions.serve('wipe', () => done);
    await fleet.gone('worker-1');
  },
});
