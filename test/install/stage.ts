import { createCloud } from '../../infra/local/provider/cloud.ts';
import { inherited, startChild } from '../cluster/child.ts';
import type { Installation } from '../cluster/install/install.ts';
import { make } from '../cluster/make.ts';
import { Scene } from '../cluster/scene.ts';
import type { Site } from '../cluster/site.ts';
import { until } from '../cluster/until.ts';

export type Mode = 'beside' | 'replace';

/** How a command ended. */
export interface Ended {
  code: number | string;
  /** Both of its outputs, in the order in which they came. */
  text: string;
  seconds: number;
}

export interface StageOptions {
  site: Site;
  run: string;
  kubeconfig: string;
  context: string | undefined;
  image: string;
  nextImage: string | undefined;
  /** `--dynamodb-local`, or `--set` and what it takes. */
  storeArguments: readonly string[];
  mode: Mode;
  hasKubectl: boolean;
  installation: Installation;
  timeoutSeconds: number;
  note: (text: string) => void;
}

export const home = 'phaseout';

/** A cluster with Knative, and what a user has at hand: phaseout's commands. */
export class Stage {
  readonly site: Site;
  readonly run: string;
  readonly image: string;
  readonly nextImage: string | undefined;
  readonly storeArguments: readonly string[];
  readonly mode: Mode;
  readonly hasKubectl: boolean;
  readonly note: (text: string) => void;
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    const { site, run, image, nextImage, storeArguments, mode, hasKubectl, note } = options;
    this.site = site;
    this.run = run;
    this.image = image;
    this.nextImage = nextImage;
    this.storeArguments = storeArguments;
    this.mode = mode;
    this.hasKubectl = hasKubectl;
    this.note = note;
    this.#options = options;
  }

  /** The environment in which kubectl, too, finds this cluster. */
  get environment(): Record<string, string> {
    return { ...inherited, KUBECONFIG: this.#options.kubeconfig };
  }

  get contextArguments(): string[] {
    const { context } = this.#options;
    return context === undefined ? [] : ['--context', context];
  }

  /** Runs one of phaseout's commands to its end. */
  phaseout(...args: string[]): Promise<Ended> {
    return this.#run('infra/cli/phaseout.ts', [...args, ...this.contextArguments]);
  }

  /** Runs a command of the Serverless Framework to its end. */
  osls(...args: string[]): Promise<Ended> {
    return this.#run('node_modules/osls/bin/serverless.js', args);
  }

  async #run(script: string, args: readonly string[]): Promise<Ended> {
    const startedAt = this.site.clock.now();
    const child = startChild(script, args, this.environment);
    const stop = (): void => void child.end('SIGINT');
    this.site.interrupted.addEventListener('abort', stop, { once: true });
    const code = await child.ended;
    this.site.interrupted.removeEventListener('abort', stop);
    return { code, text: child.lines().join('\n'), seconds: (this.site.clock.now() - startedAt) / 1_000 };
  }

  /** As this cluster needs it. */
  deploy(...args: string[]): Promise<Ended> {
    const mode = args.includes('--mode') ? [] : ['--mode', this.mode];
    const image = args.includes('--image') ? [] : ['--image', this.image];
    return this.phaseout(
      'deploy',
      ...image,
      ...mode,
      '--machine-apis',
      'capi',
      ...this.storeArguments,
      ...args,
    );
  }

  /** A namespace of its own, and what comes to pass in it. */
  async scene(name: string, timeoutSeconds = this.#options.timeoutSeconds): Promise<Scene> {
    const { site, run, installation } = this.#options;
    const namespace = `phaseout-test-${run}-${name}`;
    await make(site, run, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const scene = new Scene({
      site,
      run,
      installation,
      phaseout: { kill: nothing, close: nothing, requests: () => Promise.resolve(undefined), log: () => [] },
      cloud: createCloud({ clock: site.clock, random: Math.random }),
      namespace,
      timeoutSeconds,
    });
    const account = { group: '', version: 'v1', plural: 'serviceaccounts' };
    await scene.until('the ServiceAccount default', () => scene.get(account, 'default'));
    return scene;
  }

  /** Looks until it is so. Throws TooLate and Interrupted. */
  readonly until = <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    const { clock, interrupted: signal } = this.site;
    const deadline = clock.now() + this.#options.timeoutSeconds * 1_000;
    return until(what, { clock, signal, deadline }, look);
  };
}

const nothing = (): Promise<void> => Promise.resolve();

/** Throws with the command's output, unless it ended with this code and printed each of these. */
export function expectEnd(ended: Ended, code: number, ...said: (string | RegExp)[]): Ended {
  const missing = said.filter((one) =>
    typeof one === 'string' ? !ended.text.includes(one) : !one.test(ended.text),
  );
  if (ended.code === code && missing.length === 0) return ended;
  const lacks = missing.map((one) => `it does not say ${String(one)}`);
  throw new Error([`exit code ${ended.code}, not ${code}`, ...lacks, ended.text].join('\n'));
}
