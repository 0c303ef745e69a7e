import { readSettings } from '../../../../infra/dead-man/settings.ts';
import { takeOver } from '../../../../infra/dead-man/take-over.ts';
import { deadMan } from '../../../../infra/knative/dead-man.ts';
import { installationOf } from '../../../../infra/knative/installation.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { serverless } from '../rendered.ts';
import type { Stage } from '../stage.ts';
import { connectedAs } from './connected.ts';

const scheduleMilliseconds = 5 * 60_000;

/** The CronJob that looks every five minutes whether phaseout lives, with the rights that are rendered for it. */
export class DeadMan {
  readonly #stage: Stage;
  readonly #stop: () => void;
  #last = '';
  /** How often it has looked. */
  looks = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    const { cluster } = stage.server;
    for (const object of deadMan(installationOf(serverless, { machineApis: {} }))) {
      if (object.apiVersion?.startsWith('rbac.') === true)
        cluster.create(`${(object.kind ?? '').toLowerCase()}s.rbac.authorization.k8s.io`, object);
    }
    this.#stop = this.#everyFiveMinutes();
  }

  stop(): void {
    this.#stop();
  }

  #everyFiveMinutes(): () => void {
    const { clock, problems } = this.#stage;
    let stop = (): void => undefined;
    const next = (): void => {
      stop = clock.after(scheduleMilliseconds, () => {
        next();
        this.#look().catch((error: unknown) => problems.push(`the dead man: ${String(error)}`));
      });
    };
    next();
    return () => stop();
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

  /** What it says each time is told once. */
  readonly #say = (message: string, { machine, held }: Record<string, unknown> = {}): void => {
    if (held !== undefined) return;
    const text = [message, machine].filter((word) => word !== undefined).join(': ');
    if (text !== this.#last) this.#stage.told.say(`the dead man: ${text}`);
    this.#last = text;
  };
}
