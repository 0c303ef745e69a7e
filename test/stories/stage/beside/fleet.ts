import { ownLease } from '../../../../infra/knative/beside.ts';
import { installationOf } from '../../../../infra/knative/installation.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { type Config, readConfig } from '../../../../shared/runtime/config.ts';
import type { Carried } from '../carriage.ts';
import type { Conditions } from '../conditions.ts';
import { Fleet, type FleetParts, resources, type WorkerParts } from '../fleet.ts';
import { serverless } from '../rendered.ts';
import { DeadMan } from './hook-watchdog.ts';
import { BesideSafety } from './safety.ts';

/** Variables of instances that say that they live, by the Lease that is there for that. */
export const alive = { PHASEOUT_LEASE: `${serverless.namespace}/phaseout` };

export const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';

/** The same before the end of the server. */
export const lastHook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout';

export interface BesideParts extends FleetParts {
  /** Variables of our instances, over PHASEOUT_MODE. */
  env?: Record<string, string>;
  /** False where the peer is not there from the beginning. */
  peer?: boolean;
}

const variablesOf = (env: Record<string, string> = {}): Record<string, string> => ({
  PHASEOUT_MODE: 'capi:beside',
  ...env,
});

/** What instances beside Cluster API's own controller have for settings. */
export function settings(env?: Record<string, string>): Partial<Config> {
  const { wakeUps: _, ...config } = readConfig(variablesOf(env));
  return config;
}

const isBeside = ({ mode }: Partial<Config>): boolean => mode?.capi === 'beside';

/** A fleet in which Cluster API's own controller, the peer, deletes Machines from the beginning of the story on. */
export class BesideFleet extends Fleet {
  readonly #safety: BesideSafety;
  readonly #isWithPeer: boolean;
  #peer: (() => void) | undefined;
  #deadMan: DeadMan | undefined;

  constructor(conditions: Conditions, { env, peer = true, ...parts }: BesideParts) {
    super(conditions, { configured: settings(env), environment: variablesOf(env), ...parts });
    this.#isWithPeer = peer;
    this.#safety = new BesideSafety(this.server.cluster, this.clock, this.problems);
    this.#safety.isOn = isBeside(settings(env));
    if (env?.['PHASEOUT_LEASE'] !== undefined) this.#home();
  }

  /** The namespace of the installation, with its Lease. */
  #home(): void {
    const { namespace } = serverless;
    this.create('namespaces', { metadata: { name: namespace } });
    const options = { machineApis: {}, environment: variablesOf() };
    this.create('leases.coordination.k8s.io', ownLease(installationOf(serverless, options)));
  }

  /** A worker that has our hook since long ago. */
  held(name: string, parts: WorkerParts = {}): void {
    const { metadata = {} } = parts;
    const annotations = { [hook]: 'phaseout.dev', 'phaseout.dev/registered': '1', ...metadata.annotations };
    this.worker(name, { ...parts, metadata: { ...metadata, annotations } });
  }

  /** A worker that has both our hooks since long ago. */
  heldToTheEnd(name: string, { metadata = {}, ...parts }: WorkerParts = {}): void {
    const annotations = {
      [lastHook]: 'phaseout.dev',
      'phaseout.dev/registered-pre-terminate': '1',
      ...metadata.annotations,
    };
    this.held(name, { ...parts, metadata: { ...metadata, annotations } });
  }

  /** All instances go, and others begin that have these variables. */
  reinstall(env?: Record<string, string>): void {
    this.#safety.isOn = isBeside(settings(env));
    this.configure(settings(env), variablesOf(env));
  }

  startPeer(): void {
    this.#peer = this.startAlso(['cluster-api-peer']);
  }

  stopPeer(): void {
    this.#peer?.();
  }

  /** The CronJob begins that takes the hooks off when phaseout is gone. */
  startDeadMan(): DeadMan {
    this.#deadMan = new DeadMan(this);
    return this.#deadMan;
  }

  override end(): void {
    this.#deadMan?.stop();
    super.end();
  }

  override begin(): void {
    super.begin();
    if (this.#isWithPeer) this.startPeer();
    this.tellOfServers();
    this.server.cluster.watch('nodes', ({ type, object: { metadata } }) => {
      if (type === 'DELETED') this.told.say(`${metadata.name} is gone`);
    });
  }

  protected tellOfServers(): void {
    const { cluster } = this.server;
    const going = new Set<string>();
    cluster.watch(resources.infrastructure, ({ type, object: { metadata } }) => {
      if (type === 'DELETED') return this.told.say(`the server of ${metadata.name} is gone`);
      if (metadata.deletionTimestamp === undefined || going.has(metadata.name)) return;
      going.add(metadata.name);
      this.told.say(`the server of ${metadata.name} goes`);
    });
  }

  /** Its infrastructure object may go whatever is on its Node: that is not the peer's doing. */
  goesByOthers(name: string): void {
    this.#safety.deletedByOthers.add(name);
  }

  /** Somebody deletes its infrastructure object. */
  deleteServer(name: string): void {
    this.goesByOthers(name);
    this.server.cluster.remove(resources.infrastructure, { metadata: { name, namespace: 'fleet' } });
  }

  /** A webhook does not let us take the hook off; the returned function ends it. */
  keepsHook(): () => void {
    return this.fail(({ verb, resource, body }) =>
      verb === 'patch' && resource === resources.machines && JSON.stringify(body).includes('"remove"')
        ? { kind: 'answer', code: 403, message: 'admission webhook "deny" denied the request' }
        : undefined,
    );
  }

  /** Whether our hook holds it. */
  isHeld(name: string): boolean {
    return this.machine(name)?.metadata.annotations?.[hook] !== undefined;
  }

  /** Whether our hook before the end of its server holds it. */
  isHeldToTheEnd(name: string): boolean {
    return this.machine(name)?.metadata.annotations?.[lastHook] !== undefined;
  }

  /** The reason of its peer's `Deleting`. */
  peerSays(name: string): string | undefined {
    const conditions = recordAt(this.machine(name), 'status')['conditions'];
    const all: unknown[] = Array.isArray(conditions) ? conditions : [];
    return textAt(
      all.find((condition) => textAt(condition, 'type') === 'Deleting'),
      'reason',
    );
  }

  released(name: string): Promise<void> {
    return this.until(`the hook is off ${name}`, () => !this.isHeld(name));
  }

  protected override answered(request: Carried, answer: Answer): void {
    this.#safety.request(request, answer);
  }
}
