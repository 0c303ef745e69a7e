import { describe, expect, it } from 'vitest';
import type { Fleet } from './stage/fleet.ts';
import { OpenShiftFleet } from './stage/openshift.ts';
import { play, recorded, type Story } from './stage/story.ts';
import { OriginalFleet } from './stage/v1alpha1.ts';

/** Two Machines with their Pods; the second one is deleted when the instance has long known its way. */
const twoWorkers = (pods: number): Story => ({
  scene(fleet: Fleet) {
    fleet.cluster();
    for (const number of [1, 2]) {
      fleet.worker(`worker-${number}`);
      fleet.pods(`web-${number}`, pods, `node-${number}`);
    }
  },
  async plot(fleet: Fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    await fleet.seconds(60);
    fleet.requests.length = 0;
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
  },
});

const oneWorker = (pods: number): Story => ({
  scene(fleet: Fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', pods, 'node-1');
  },
  async plot(fleet: Fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

async function countsOf(told: Story): Promise<{ text: string; total: number }> {
  const { requests } = await play(told, {});
  const lines = Object.entries(requests).map(([what, count]) => `${String(count).padStart(4)}  ${what}\n`);
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  return { total, text: `${lines.join('')}${String(total).padStart(4)}  in all\n` };
}

describe('requests of a whole deletion', () => {
  it('are these for the first of an instance, with 20 Pods', async () => {
    const { text } = await countsOf(oneWorker(20));
    expect(text).toBe(recorded('requests', 'the first deletion, with 20 Pods', text));
  });

  it('are these for a later one, with 20 Pods', async () => {
    const { text } = await countsOf(twoWorkers(20));
    expect(text).toBe(recorded('requests', 'a later deletion, with 20 Pods', text));
  });

  // Cluster API's controller, which reads from caches, makes 25 and 1.1 for each Pod; its watches are not counted.
  it.each([0, 1, 20, 100])('are at most 27 and one for each of %i Pods', async (pods) => {
    const { total } = await countsOf(twoWorkers(pods));
    expect(total).toBeLessThanOrEqual(27 + pods);
  });
});

/** How often phaseout asks a provider about a server under deletion. Each answer asks for five minutes. */
async function askedInMinutes(minutes: number, instances: number): Promise<number> {
  const fleet = new OpenShiftFleet({ instances });
  fleet.machineThatRuns('worker-1');
  await fleet.seconds(3);
  let asked = 0;
  fleet.provider.answers({
    delete: () => ({ kind: 'accepted' }),
    exists() {
      asked += 1;
      return { kind: 'exists', retryAfterSeconds: 300 };
    },
  });
  fleet.begin();
  fleet.delete('worker-1');
  await fleet.seconds(60 * minutes);
  fleet.end();
  return asked;
}

// All that is being deleted is listed each minute here, and looked at.
it.each([
  [1, 25],
  [2, 27],
])(
  'a provider that says when is asked then, and at each list, with instances: %i',
  async (instances, most) => {
    expect(await askedInMinutes(20, instances)).toBeLessThanOrEqual(most);
  },
);

/** How often a provider that tells of its last look each time is asked about three living Machines. */
async function askedAboutLiving(minutes: number, instances: number): Promise<number> {
  const fleet = new OriginalFleet({ instances, latencyMilliseconds: 50 });
  fleet.cluster();
  fleet.machineThatRuns('worker-1');
  await fleet.seconds(3);
  let asked = 0;
  fleet.provider.answers({
    exists: () => ({ kind: 'exists' }),
    update() {
      asked += 1;
      return { kind: 'done', report: { providerStatus: { lastProbeTime: `${fleet.clock.now()}` } } };
    },
  });
  fleet.begin();
  await fleet.seconds(60 * minutes);
  fleet.end();
  return asked;
}

it.each([1, 3])(
  'a provider is asked about who lives once by each instance, of which there are %i',
  async (count) => {
    expect(await askedAboutLiving(9, count)).toBe(3 * count);
  },
);
