import { readSettings } from '../../../../infra/hook-watchdog/settings.ts';
import { takeOver } from '../../../../infra/hook-watchdog/take-over.ts';
import { hookWatchdog } from '../../../../infra/knative/hook-watchdog.ts';
import { installationOf } from '../../../../infra/knative/installation.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { serverless } from '../rendered.ts';
import type { Stage } from '../stage.ts';
import { connectedAs } from './connected.ts';

const scheduleMilliseconds = 5 * 60_000;

/** The CronJob that looks every five minutes whether phaseout lives, with the rights that are rendered for it. */
export class DeadMan {
  readonly #stage: Stage;
  #stop: (() => void) | undefined;
  #last = '';
  /** How often it has looked. */
  looks = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    const { cluster } = stage.server;
    for (const object of hookWatchdog(installationOf(serverless, { machineApis: {} }))) {
      if (object.apiVersion?.startsWith('rbac.') === true)
        cluster.create(`${(object.kind ?? '').toLowerCase()}s.rbac.authorization.k8s.io`, object);
    }
    this.#later();
  }

  stop(): void {
    this.#stop?.();
  }

  #later(): void {
    const { clock, problems } = this.#stage;
    this.#stop = clock.after(scheduleMilliseconds, () => {
      this.#later();
      this.#look().catch((error: unknown) => problems.push(`the hook watchdog: ${String(error)}`));
    });
  }

  async #look(): Promise<void> {
    this.looks += 1;
    const { clock } = this.#stage;
    const log = { ...silent, info: this.#say, warn: this.#say, error: this.#say };
    const kubernetes = connectedAs(this.#stage, 'deadMan');
    const settings = readSettings({ LEASE_NAMESPACE: serverless.namespace });
    await takeOver({ kubernetes, nows: () => [clock.now()], log }, settings);
    await kubernetes.close();
  }

  /** What it logs each time is in the story once. */
  readonly #say = (message: string, { machine, held }: Record<string, unknown> = {}): void => {
    if (held !== undefined) return;
    const text = typeof machine === 'string' ? `${message}: ${machine}` : message;
    if (text !== this.#last) this.#stage.told.say(`the hook watchdog: ${text}`);
    this.#last = text;
  };
}
