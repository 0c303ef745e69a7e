import { createProviderApp, type ProviderApp } from '../../../../infra/local/provider/app.ts';
import { createCloud } from '../../../../infra/local/provider/cloud.ts';
import type { Actuator } from '../../../../shared/actuator/port.ts';
import type { Clock } from '../../../../shared/time/clock.ts';

export const token = 's3cret';

/** Each run makes a new one. */
export type Provider = (clock: Clock) => ProviderApp;

export const newCloud = (clock: Clock) =>
  createCloud({ clock, random: () => 0.5, settings: { createSeconds: 30, deleteSeconds: 60 } });

export const reference: Provider = (clock) => createProviderApp({ cloud: newCloud(clock), token });

/** The reference, but for what it says itself. */
export const behaving =
  (change: (cloud: Actuator, clock: Clock) => Partial<Actuator>): Provider =>
  (clock) => {
    const cloud = newCloud(clock);
    return createProviderApp({ cloud: { ...cloud, ...change(cloud, clock) }, token });
  };

/** The reference, but for what goes over the wire. */
export const speaking =
  (change: (app: ProviderApp) => ProviderApp): Provider =>
  (clock) =>
    change(reference(clock));
