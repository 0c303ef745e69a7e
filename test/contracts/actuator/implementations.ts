import { createCloud } from '../../../infra/local/provider/cloud.ts';
import { startProvider } from '../../../infra/local/provider/serve.ts';
import type { Actuator } from '../../../shared/actuator/port.ts';
import { createHttpActuator } from '../../../shared/adapters/actuator/http-actuator.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { providerUrl, wayToProvider } from '../../simulation/platform/provider.ts';
import { openProviderDesk } from '../../simulation/platform/provider-desk.ts';
import { createRandom } from '../../simulation/random.ts';
import { Scheduler, Strand } from '../../simulation/scheduler.ts';

export interface OpenActuator {
  actuator: Actuator;
  /** Lets time pass for the servers. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Servers take four seconds to come and six to go. */
const settings = { createSeconds: 4, deleteSeconds: 6 };
const random = (): number => 0.5;

function aCloud() {
  const clock = manualClock();
  const cloud = createCloud({ clock, random, settings });
  return { cloud, pass: (seconds: number) => clock.advance(seconds * 1000) };
}

async function inProcess(): Promise<OpenActuator> {
  const { cloud, pass } = aCloud();
  return { actuator: cloud, pass, close: async () => cloud.close() };
}

const secret = 's3cret';
const token = { current: async () => secret, forget: () => undefined };

async function overHttp(): Promise<OpenActuator> {
  const { cloud, pass } = aCloud();
  const provider = await startProvider({ cloud, token: secret });
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

/** No time goes by while it answers. */
async function simulated(): Promise<OpenActuator> {
  const scheduler = new Scheduler(0, createRandom(1));
  const cloud = createCloud({ clock: scheduler, random, settings });
  const clock = new Strand('instance-1', scheduler, () => 0);
  const fetch = wayToProvider(clock, {
    desk: openProviderDesk({ cloud, clock: scheduler, token: () => secret }),
    fate: () => 'answers',
    asked: () => undefined,
    seen: () => undefined,
  });
  const asked = createHttpActuator({ url: providerUrl, token, timeoutSeconds: 20, clock, fetch });
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    await scheduler.run(scheduler.now());
    return answer;
  };
  return {
    actuator: {
      exists: (target) => answered(asked.exists(target)),
      create: (target) => answered(asked.create(target)),
      update: (target) => answered(asked.update(target)),
      delete: (target) => answered(asked.delete(target)),
    },
    pass: (seconds) => scheduler.run(scheduler.now() + seconds * 1000),
    close: async () => cloud.close(),
  };
}

export const implementations = [
  { name: 'the cloud in this process', open: inProcess },
  { name: 'the same cloud over HTTP', open: overHttp },
  { name: 'the same cloud as an instance in a simulation has it', open: simulated },
];
