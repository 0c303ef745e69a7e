import { createCloud } from '../../../infra/local/provider/cloud.ts';
import { startProvider } from '../../../infra/local/provider/serve.ts';
import type { Actuator } from '../../../shared/actuator/port.ts';
import { createHttpActuator } from '../../../shared/adapters/actuator/http-actuator.ts';
import { systemClock } from '../../../shared/clock.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';

export interface OpenActuator {
  actuator: Actuator;
  /** Lets time pass for the servers. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Servers take four seconds to come and six to go. */
function aCloud() {
  const clock = manualClock();
  const cloud = createCloud({
    clock,
    random: () => 0.5,
    settings: { createSeconds: 4, deleteSeconds: 6 },
  });
  return { cloud, pass: (seconds: number) => clock.advance(seconds * 1000) };
}

async function inProcess(): Promise<OpenActuator> {
  const { cloud, pass } = aCloud();
  return { actuator: cloud, pass, close: async () => cloud.close() };
}

async function overHttp(): Promise<OpenActuator> {
  const { cloud, pass } = aCloud();
  const provider = await startProvider({ cloud, token: 's3cret' });
  const token = { current: async () => 's3cret', forget: () => undefined };
  const actuator = createHttpActuator({ url: provider.url, token, timeoutSeconds: 20, clock: systemClock });
  return {
    actuator,
    pass,
    async close() {
      cloud.close();
      await provider.close();
    },
  };
}

export const implementations = [
  { name: 'the cloud in this process', open: inProcess },
  { name: 'the same cloud over HTTP', open: overHttp },
];
