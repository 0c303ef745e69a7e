import { type Actuator, noActuator } from '../../shared/actuator/port.ts';
import {
  createHttpActuator,
  type HttpActuatorOptions,
} from '../../shared/adapters/actuator/http-actuator.ts';
import { secretToken } from '../../shared/adapters/actuator/secret-token.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { type Config, ConfigInvalid } from '../../shared/runtime/config.ts';
import type { Clock } from '../../shared/time/clock.ts';

type ActuatorConfig = Pick<Config, 'actuatorUrl' | 'actuatorSecret' | 'actuatorTimeoutSeconds'>;

/**
 * The provider that the configuration names. It is asked with the token from its Secret in the management cluster.
 * Without a URL there is none. Throws ConfigInvalid when the URL is of no use.
 */
export function actuatorOf(
  { actuatorUrl: url, actuatorSecret, actuatorTimeoutSeconds: timeoutSeconds }: ActuatorConfig,
  management: Pick<Kubernetes, 'get'>,
  clock: Clock,
  way: Pick<HttpActuatorOptions, 'fetch'> = {},
): Actuator {
  if (url === undefined) return noActuator;
  const secret = secretNamed(actuatorSecret);
  const token = secret === undefined ? {} : { token: secretToken(management, secret, clock) };
  try {
    return createHttpActuator({ url, ...token, timeoutSeconds, clock, ...way });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigInvalid([`PHASEOUT_ACTUATOR_URL: ${why}`]);
  }
}

function secretNamed(text: string | undefined): { namespace: string; name: string } | undefined {
  const [namespace = '', name = ''] = text?.split('/') ?? [];
  return namespace === '' || name === '' ? undefined : { namespace, name };
}
