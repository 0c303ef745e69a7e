import { handOutProviderToken } from '../../platform/provider-token.ts';
import type { Fault } from '../fault.ts';
import { atMoments } from '../moments.ts';

const latestMilliseconds = 20_000;

/** In worlds in which the provider does not answer everybody. */
export const providerTokenRenewed: Fault = {
  name: 'provider-token-renewed',
  about: 'The provider wants another token, and the Secret has it at once or some time later.',
  strike(setting) {
    const { world, random } = setting;
    let renewals = 0;
    atMoments(setting, 3, () => {
      if (world.providerToken === undefined) return;
      renewals += 1;
      world.providerToken = `token-${renewals + 1}`;
      const milliseconds = random.chance(0.5) ? 0 : random.between(1, latestMilliseconds);
      world.scheduler.after(milliseconds, () => handOutProviderToken(world));
      world.say('the provider', `wants another token, and the Secret has it in ${milliseconds / 1_000} s`);
      world.hit(this.name);
    });
    return () => handOutProviderToken(world);
  },
};
