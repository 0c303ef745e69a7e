import type { Config } from '../../../../shared/runtime/config.ts';
import { management } from '../../platform/clusters.ts';
import { providerSecret } from '../../platform/provider-token.ts';
import { restingTick } from '../../platform/resting-tick.ts';
import type { Random } from '../../random.ts';
import type { Blueprint } from '../blueprint.ts';

/** Where instances run: on the server of a Machine of the original API, beside which its Nodes are. */
export function drawOwnNode(random: Random, { machines }: Blueprint): Partial<Config> {
  const nodes = machines
    .filter(({ api, host }) => api === 'v1alpha1' && host === management)
    .filter(({ server }) => server === undefined || server.state === 'running')
    .flatMap(({ node }) => (node === undefined ? [] : [node]));
  return nodes.length > 0 && random.chance(0.8) ? { ownNode: random.oneOf(nodes) } : {};
}

/** How a user may have configured phaseout, where it differs from the default. */
export function drawConfig(random: Random): Partial<Config> {
  const drawn = drawSettings(random);
  // Without a draw of its own: the seeds go on to stand for the same worlds.
  return { ...drawn, ...(drawn.actuatorSecret !== undefined && { nodeConditions: true }) };
}

const drawSettings = (random: Random): Partial<Config> => ({
  ...(random.chance(0.15) && { wakeUps: false }),
  ...(random.chance(0.4) && { duePingSource: restingTick }),
  ...(random.chance(0.5) && { actuatorSecret: providerSecret }),
  ...(random.chance(0.1) && { wakeUpsMax: random.oneOf([0, 1, 2]) }),
  ...(random.chance(0.15) && { wakeUpSeconds: random.oneOf([1, 5, 30]) }),
  ...(random.chance(0.15) && { actuatorTimeoutSeconds: random.oneOf([2, 5]) }),
  ...(random.chance(0.15) && { requestTimeoutSeconds: random.oneOf([3, 10]) }),
  ...(random.chance(0.1) && { requestsInFlight: random.oneOf([2, 5, 20]) }),
  ...(random.chance(0.1) && { considerVolumeAttachments: false }),
  ...(random.chance(0.1) && { requeueAfterSeconds: random.oneOf([5, 10, 60]) }),
});
