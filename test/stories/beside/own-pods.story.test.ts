import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/own-pods';
const home = { namespace: 'phaseout', stays: true };

/** The Node that phaseout and its store run on, with the store's disk. */
function aNodeOfOurs(fleet: BesideFleet): void {
  fleet.cluster();
  fleet.held('worker-1');
  fleet.pods('web', 2, 'node-1', { stopSeconds: 20 });
  fleet.volume('data', 'phaseout');
  fleet.pod('dynamodb', 'node-1', { ...home, claim: 'data' });
  fleet.pod('phaseout', 'node-1', home);
}

/** With its Pod phaseout goes; the returned function brings it back. */
function goesWithItsPod(fleet: BesideFleet): () => void {
  let back: (() => void) | undefined;
  fleet.server.cluster.watch('pods', ({ type, object: { metadata } }) => {
    if (metadata.name !== 'phaseout' || type !== 'DELETED') return;
    fleet.told.say('phaseout has no Pod any more');
    back = fleet.away();
  });
  return () => back?.();
}

story(group, 'the last Node that can run phaseout', {
  env: alive,
  scene: aNodeOfOurs,
  async plot(fleet) {
    const back = goesWithItsPod(fleet);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    fleet.told.say('phaseout gets a Node again');
    back();
  },
});

story(group, 'a budget holds phaseout’s own Pod on the last Node that can run it', {
  env: alive,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pod('phaseout', 'node-1', home);
    fleet.budget('phaseout', { maxUnavailable: 0, selector: {} }, 'phaseout');
  },
  async plot(fleet) {
    const back = goesWithItsPod(fleet);
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the budget allows it');
    fleet.server.cluster.remove('poddisruptionbudgets.policy', {
      metadata: { name: 'phaseout', namespace: 'phaseout' },
    });
    await fleet.gone('worker-1');
    fleet.told.say('phaseout gets a Node again');
    back();
  },
});
