import { expect, it } from 'vitest';
import type { BesideFleet } from '../stage/beside/fleet.ts';
import { besidePeer, recorded } from '../stage/story.ts';

/** Two Machines with their Pods; the second one is deleted when the instance has long known its way. */
const twoWorkers = (pods: number) => ({
  scene(fleet: BesideFleet) {
    fleet.cluster();
    for (const number of [1, 2]) {
      fleet.held(`worker-${number}`);
      fleet.pods(`web-${number}`, pods, `node-${number}`);
    }
  },
  async plot(fleet: BesideFleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    await fleet.seconds(60);
    fleet.requests.length = 0;
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
  },
});

async function countsOf(pods: number) {
  const { requests } = await besidePeer.play(twoWorkers(pods), {});
  const counts = Object.entries(requests);
  const lines = counts.map(([what, count]) => `${String(count).padStart(4)}  ${what}\n`);
  return { text: lines.join(''), total: counts.reduce((sum, [, count]) => sum + count, 0) };
}

it('a later deletion with 30 Pods costs these requests', async () => {
  const { text } = await countsOf(30);
  expect(text).toBe(recorded('beside/requests', 'a later deletion, with 30 Pods', text));
});

it.each([0, 1, 30, 100])(
  'a later deletion costs at most 18 requests and 1.1 for each of %i Pods',
  async (pods) => {
    const { total } = await countsOf(pods);
    expect(total).toBeLessThanOrEqual(18 + 1.1 * pods);
  },
);

const verbsOf = ({ requests }: BesideFleet, name: string): string[] =>
  requests.filter(({ path }) => path.endsWith(`/${name}`)).map(({ verb }) => verb);

it('a Machine costs one write of ours in its life, and nothing once it is handed over', async () => {
  const verbs: Record<string, string[]> = {};
  await besidePeer.play(
    {
      scene(fleet) {
        fleet.cluster();
        fleet.worker('worker-1');
        const annotations = { 'local.phaseout.dev/stop-seconds': '90' };
        fleet.held('worker-2', { infrastructure: { annotations } });
      },
      async plot(fleet) {
        await fleet.seconds(200);
        verbs['living'] = verbsOf(fleet, 'worker-1');
        fleet.delete('worker-2');
        await fleet.released('worker-2');
        await fleet.seconds(5);
        fleet.requests.length = 0;
        await fleet.gone('worker-2');
        verbs['handed over'] = verbsOf(fleet, 'worker-2');
      },
    },
    {},
  );
  expect(verbs).toEqual({ living: ['patch'], 'handed over': [] });
});
