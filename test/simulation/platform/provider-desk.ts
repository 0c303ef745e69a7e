import { type ProviderAnswer as Answer, createProviderApp } from '../../../infra/local/provider/app.ts';
import type { Cloud } from '../../../infra/local/provider/cloud.ts';
import type { Actuator, ActuatorAnswer, ActuatorTarget } from '../../../shared/actuator/port.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { type Clock, pause } from '../../../shared/time/clock.ts';
import { providerRequest } from '../../contracts/actuator/provider-request.ts';
import type { ProviderAnswer } from './provider-answer.ts';

/** By this annotation a Machine has the provider think for so many seconds before it makes the server. */
export const thinksSeconds = 'simulation.phaseout.dev/thinks-seconds';

/** By this annotation, for so many seconds from its first report on, the provider reports another time with each. */
export const probesSeconds = 'simulation.phaseout.dev/probes-seconds';

/** What the provider has answered, and what of it the cloud has said; undefined where that was not asked. */
export interface Served {
  answer: Answer | undefined;
  done: ProviderAnswer | undefined;
}

/** The provider as all instances have it. */
export type ProviderDesk = (url: string, init: RequestInit) => Promise<Served>;

export interface ProviderDeskParts {
  cloud: Cloud;
  clock: Pick<Clock, 'after' | 'now'>;
  /** What it wants to be shown now; undefined where it answers everybody. */
  token: () => string | undefined;
}

/** Its HTTP, without the sockets. It goes on with what it has begun, whether anybody still waits for it or not. */
export function openProviderDesk({ cloud, clock, token }: ProviderDeskParts): ProviderDesk {
  const thoughtful = probing(thinking(cloud, clock), clock);
  return async (url, init) => {
    let done: ProviderAnswer | undefined;
    const wanted = token();
    const app = createProviderApp({
      cloud: noting(thoughtful, (answer) => (done = answer)),
      ...(wanted !== undefined && { token: wanted }),
    });
    const answer = await app(providerRequest(url, init));
    return { answer, done };
  };
}

/** Takes its time over servers. A server that is being made still needs its end: the caller must ask for it again. */
function thinking(cloud: Cloud, clock: ProviderDeskParts['clock']): Actuator {
  const making = new Map<string | undefined, number>();
  const count = ({ machine: { metadata } }: ActuatorTarget, change: number): number => {
    const number = (making.get(metadata.uid) ?? 0) + change;
    making.set(metadata.uid, number);
    return number;
  };
  return {
    exists: (target) => cloud.exists(target),
    update: (target) => cloud.update(target),
    async create(target) {
      count(target, 1);
      await pause(clock, thinkingMilliseconds(target));
      count(target, -1);
      return cloud.create(target);
    },
    async delete(target) {
      if (count(target, 0) === 0) return cloud.delete(target);
      return { kind: 'retry', afterSeconds: 1, message: 'the server is being made' };
    },
  };
}

/**
 * Like providers that break the contract: each report differs. Its writer gets an event for it, and must not ask at
 * once for the next one.
 */
function probing(actuator: Actuator, clock: ProviderDeskParts['clock']): Actuator {
  const since = new Map<string | undefined, number>();
  const probed = (answer: ActuatorAnswer, { machine }: ActuatorTarget): ActuatorAnswer => {
    const { uid, annotations = {} } = machine.metadata;
    const milliseconds = Number(annotations[probesSeconds] ?? 0) * 1_000;
    if (answer.kind !== 'done' || milliseconds === 0) return answer;
    const now = clock.now();
    const first = since.get(uid) ?? now;
    since.set(uid, first);
    // In the end what stands on the Machine stays.
    const known = recordAt(machine, 'status', 'providerStatus')['lastProbeTime'];
    const lastProbeTime = now < first + milliseconds ? now : known;
    const providerStatus = { ...answer.report.providerStatus, lastProbeTime };
    return { ...answer, report: { ...answer.report, providerStatus } };
  };
  return {
    ...actuator,
    create: async (target) => probed(await actuator.create(target), target),
    update: async (target) => probed(await actuator.update(target), target),
  };
}

const thinkingMilliseconds = ({ machine: { metadata } }: ActuatorTarget): number =>
  Number(metadata.annotations?.[thinksSeconds] ?? 0) * 1_000;

function noting(actuator: Actuator, note: (answer: ProviderAnswer) => void): Actuator {
  const noted = async <T extends ProviderAnswer>(asked: Promise<T>): Promise<T> => {
    const answer = await asked;
    note(answer);
    return answer;
  };
  return {
    exists: (target) => noted(actuator.exists(target)),
    create: (target) => noted(actuator.create(target)),
    update: (target) => noted(actuator.update(target)),
    delete: (target) => noted(actuator.delete(target)),
  };
}
