import { testLabel } from './site.ts';

/** Nothing of Knative's may be asked for, and a wait that nothing ends should not make a story long. */
const common = { PHASEOUT_DUE_PING_SOURCE: '', PHASEOUT_LOOK_AGAIN_SECONDS: '5' };

/** Of a pre-drain hook that keeps the peer waiting when ours is gone: what happens then is not its doing. */
export const afterOurs = 'a-test-after';

/** Variables of the functions. Beside, the hook has a name of the run, and no Machine of others gets it. */
export const settingsFor = (run: string, { beside }: { beside: boolean }): Record<string, string> =>
  beside
    ? {
        ...common,
        PHASEOUT_MODE: 'capi:beside',
        PHASEOUT_INSTALLATION: run,
        PHASEOUT_BESIDE_SELECTOR: `${testLabel}=${run}`,
        PHASEOUT_HOOKS_AFTER: afterOurs,
      }
    : { ...common, PHASEOUT_MODE: 'replace' };
