import { ownLease } from '../../../../infra/knative/beside.ts';
import { installationOf } from '../../../../infra/knative/installation.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { type Config, readConfig } from '../../../../shared/runtime/config.ts';
import type { Carried } from '../carriage.ts';
import type { Conditions } from '../conditions.ts';
import {
  type Hook,
  machines,
  OpenShiftFleet,
  type OpenShiftMachineParts,
  type OpenShiftParts,
} from '../openshift.ts';
import { serverless } from '../rendered.ts';
import { DeadMan } from './hook-watchdog.ts';
import { OpenShiftSafety } from './openshift-safety.ts';

/** Our hook, and that of etcd's operator. */
export const ours: Hook = { name: 'phaseout', owner: 'phaseout.dev' };
export const etcd: Hook = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };

export const namespace = 'openshift-machine-api';

export interface BesideOpenShiftParts extends OpenShiftParts {
  /** Variables of our instances, over PHASEOUT_MODE. */
  env?: Record<string, string>;
}

const variablesOf = (env: Record<string, string> = {}): Record<string, string> => ({
  PHASEOUT_MODE: 'openshift:beside',
  ...env,
});

function settings(env?: Record<string, string>): Partial<Config> {
  const { wakeUps: _, ...config } = readConfig(variablesOf(env));
  return config;
}

/** A cluster of OpenShift in which its own two controllers delete Machines, unless we begin in their place. */
export class BesideOpenShiftFleet extends OpenShiftFleet {
  readonly #safety: OpenShiftSafety;
  readonly #isWithPeer: boolean;
  #deadMan: DeadMan | undefined;

  constructor(conditions: Conditions, { env, ...parts }: BesideOpenShiftParts) {
    super(conditions, {
      hasPolicy: true,
      configured: settings(env),
      environment: variablesOf(env),
      ...parts,
    });
    this.#safety = new OpenShiftSafety(this.server.cluster, this.clock, this.problems);
    const mode = settings(env).mode?.openshift;
    this.#safety.isOn = mode === 'beside';
    this.#isWithPeer = mode !== 'replace';
    if (env?.['PHASEOUT_LEASE'] !== undefined) this.#home();
  }

  /** The namespace of the installation, with its Lease. */
  #home(): void {
    this.create('namespaces', { metadata: { name: serverless.namespace } });
    const options = { machineApis: {}, environment: variablesOf() };
    this.create('leases.coordination.k8s.io', ownLease(installationOf(serverless, options)));
  }

  /** A Machine that has our hook since long ago. */
  held(name: string, { preDrain = [], metadata, ...parts }: OpenShiftMachineParts = {}): void {
    const annotations = { 'phaseout.dev/registered': '1', ...metadata?.annotations };
    this.machineThatRuns(name, {
      ...parts,
      preDrain: [...preDrain, ours],
      metadata: { ...metadata, annotations },
    });
  }

  /** A Machine that has both our hooks since long ago. */
  heldToTheEnd(name: string, { preTerminate = [], metadata, ...parts }: OpenShiftMachineParts = {}): void {
    const annotations = { 'phaseout.dev/registered-pre-terminate': '1', ...metadata?.annotations };
    this.held(name, {
      ...parts,
      preTerminate: [...preTerminate, ours],
      metadata: { ...metadata, annotations },
    });
  }

  /** All instances go, and others begin that have these variables. */
  reinstall(env?: Record<string, string>): void {
    this.#safety.isOn = settings(env).mode?.openshift === 'beside';
    this.configure(settings(env), variablesOf(env));
  }

  startPeer(): () => void {
    return this.startAlso(['openshift-machine-controller', 'openshift-drain-controller']);
  }

  startDeadMan(): DeadMan {
    this.#deadMan = new DeadMan(this);
    return this.#deadMan;
  }

  override begin(): void {
    super.begin();
    if (this.#isWithPeer) this.startPeer();
    this.server.cluster.watch('nodes', ({ type, object: { metadata } }) => {
      if (type === 'DELETED') this.told.say(`${metadata.name} is gone`);
    });
    this.provider.cloud.onChange(({ machine, state }, isGone) => {
      if (isGone) this.told.say(`the server of ${machine.name} is gone`);
      else if (state === 'stopping') this.told.say(`the server of ${machine.name} goes`);
    });
  }

  override end(): void {
    this.#deadMan?.stop();
    super.end();
  }

  hooks(name: string): string[] {
    return this.#preDrain(name).map((hook) => hook.name);
  }

  /** Whether our hook holds it. */
  isHeld(name: string): boolean {
    return this.hooks(name).includes(ours.name);
  }

  /** The owner of a hook takes it off, and leaves all others. */
  takesOff(name: string, hook: Hook): void {
    const left = this.#preDrain(name).filter((each) => each.name !== hook.name);
    this.setHooks(name, 'preDrain', left);
  }

  #preDrain(name: string): Hook[] {
    const list = recordAt(this.machine(name), 'spec', 'lifecycleHooks')['preDrain'];
    return (Array.isArray(list) ? list : []).map((each: unknown) => ({
      name: textAt(each, 'name') ?? '',
      owner: textAt(each, 'owner') ?? '',
    }));
  }

  /** Which API rules the Machine from now on. */
  ruledBy(name: string, authoritativeAPI: string): void {
    this.told.say(`${name} is ruled by ${authoritativeAPI}`);
    const place = { metadata: { name, namespace } };
    this.server.cluster.patch(machines, place, { status: { authoritativeAPI } }, 'status');
  }

  protected override answered(request: Carried, answer: Answer): void {
    this.#safety.request(request, answer);
  }
}
