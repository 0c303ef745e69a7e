import type { Config } from '../../../../shared/runtime/config.ts';
import { providerSecret } from '../../platform/provider-token.ts';
import { restingTick } from '../../platform/resting-tick.ts';
import type { Random } from '../../random.ts';

/** How whoever runs phaseout may have configured it, where it is not as it comes. */
export const drawConfig = (random: Random): Partial<Config> => ({
  ...(random.chance(0.15) && { wakeUps: false }),
  ...(random.chance(0.4) && { duePingSource: restingTick }),
  ...(random.chance(0.5) && { actuatorSecret: providerSecret }),
  ...(random.chance(0.1) && { wakeUpsMax: random.oneOf([0, 1, 2]) }),
  ...(random.chance(0.15) && { wakeUpSeconds: random.oneOf([1, 5, 30]) }),
  ...(random.chance(0.15) && { actuatorTimeoutSeconds: random.oneOf([2, 5]) }),
  ...(random.chance(0.15) && { requestTimeoutSeconds: random.oneOf([3, 10]) }),
  ...(random.chance(0.1) && { requestsInFlight: random.oneOf([2, 5, 20]) }),
  ...(random.chance(0.1) && { lookAgainSeconds: random.oneOf([5, 10, 60]) }),
});
