import { expect, test } from 'vitest';
import { type BesideFleet, hook } from '../stage/beside/fleet.ts';
import { besidePeer, type Played } from '../stage/story.ts';

const hour = 3_600;

function scene(fleet: BesideFleet): void {
  fleet.cluster();
  fleet.held('worker-1');
  fleet.volume('data');
  fleet.pod('database', 'node-1', { claim: 'data' });
  fleet.pods('web', 2, 'node-1');
}

async function goes(fleet: BesideFleet): Promise<void> {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
}

/** All instances die after this request, and come back an hour later. Meanwhile the Node has new work. */
const awayAfter = (request: number): Promise<Played> =>
  besidePeer.play(
    {
      scene,
      async plot(fleet) {
        fleet.delete('worker-1');
        await fleet.until('it dies', () => fleet.requests.length >= request);
        const back = fleet.away();
        await fleet.seconds(hour);
        if (fleet.isHeld('worker-1')) {
          fleet.server.cluster.patch(
            'nodes',
            { metadata: { name: 'node-1' } },
            { spec: { unschedulable: null } },
          );
          fleet.pods('new', 2, 'node-1', { tolerations: [{ operator: 'Exists' }] });
        }
        back();
        await fleet.gone('worker-1');
      },
    },
    { diesAfterRequest: request },
  );

test('whatever is done last before phaseout dies, an hour later nothing is lost that came meanwhile', async () => {
  const { requests, text } = await besidePeer.play({ scene, plot: goes }, {});
  expect(text).toContain('take the hook off worker-1');
  const count = Object.values(requests).reduce((sum, each) => sum + each, 0);
  for (let request = 1; request <= count; request += 1) {
    const died = await awayAfter(request);
    expect({ request, isGone: died.text.includes('worker-1 is gone') }).toEqual({ request, isGone: true });
    // What came while the hook was on it was evicted, by phaseout or by the peer after it.
    expect(died.end['pods']).toEqual([]);
    expect(died.text).not.toContain(`put ${hook}`);
  }
}, 120_000);
