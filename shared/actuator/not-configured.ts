import { Unavailable } from '../kubernetes/errors.ts';
import type { Actuator } from './port.ts';

const refuse = (): Promise<never> =>
  Promise.reject(
    new Unavailable('no provider is configured: PHASEOUT_ACTUATOR_URL says where the servers are kept'),
  );

/** Stands where no provider is configured: nothing is known of any server. */
export const noActuator: Actuator = { exists: refuse, create: refuse, update: refuse, delete: refuse };
