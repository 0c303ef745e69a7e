import { openShiftDefinitions } from '../../../../infra/local/kubernetes/crds/openshift.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import type { Carried } from '../carriage.ts';
import type { Conditions } from '../conditions.ts';
import { resources } from '../fleet.ts';
import { anOpenShiftMachine, machines } from '../openshift.ts';
import { CopiesSafety } from './copies-safety.ts';
import { BesideFleet, type BesideParts, hook, lastHook } from './fleet.ts';
import { machineSync, syncFinalizer } from './machine-sync.ts';
import { namespace, ours } from './openshift-fleet.ts';
import { startOwn } from './own-controller.ts';

export interface TwoApisParts extends Pick<BesideParts, 'env' | 'also'> {
  /** Kinds beside those of OpenShift. */
  kinds?: BesideParts['beside'];
}

interface CopiesParts {
  isNew?: boolean;
  /** With our hook before the end of the server, too. */
  isToTheEnd?: boolean;
  /** False where the finalizer that says what it is is not on Cluster API's copy yet. */
  isMarked?: boolean;
  role?: 'worker' | 'master';
}

export type Authority = 'MachineAPI' | 'ClusterAPI';

/** Nothing is done by Cluster API's controllers, nor by who ends servers for them. */
const pause = { 'cluster.x-k8s.io/paused': '', 'local.phaseout.dev/never-stops': 'true' };
const noPause = Object.fromEntries(Object.keys(pause).map((key) => [key, null]));

const isOfOpenShift = (group: string): boolean => group.includes('machine.openshift.io');

/** A cluster of OpenShift whose Machines are in both APIs, each with its own controllers; one API rules a Machine. */
export class TwoApisFleet extends BesideFleet {
  readonly #safety: CopiesSafety;

  constructor(conditions: Conditions, { env, kinds = [], ...parts }: TwoApisParts) {
    super(conditions, {
      ...parts,
      everywhere: true,
      beside: [...openShiftDefinitions, ...kinds],
      env: { PHASEOUT_MODE: 'capi:beside,openshift:beside', ...env },
      peer: false,
    });
    this.#safety = new CopiesSafety(this.server.cluster, this.clock, this.problems);
    this.create('namespaces', { metadata: { name: namespace } });
    this.told.calls = (name, group) => `${name} of ${isOfOpenShift(group) ? 'OpenShift' : 'Cluster API'}`;
    this.server.cluster.watch(machines, ({ object: { metadata, status } }) => {
      const isGoing = metadata.deletionTimestamp !== undefined;
      if (isGoing && textAt(status, 'authoritativeAPI') === 'MachineAPI') this.goesByOthers(metadata.name);
    });
  }

  /** A Machine that runs, with a copy in each API, and with our hook on both unless it is new. */
  copies(
    name: string,
    authority: Authority,
    { isNew = false, isMarked = true, isToTheEnd = false, role }: CopiesParts = {},
  ): void {
    const annotations = {
      ...(!isNew && { 'phaseout.dev/registered': '1' }),
      ...(isToTheEnd && { 'phaseout.dev/registered-pre-terminate': '1' }),
    };
    const authoritative = { authoritativeAPI: authority };
    anOpenShiftMachine(this, name, {
      ...(role && { role }),
      ...(!isNew && { preDrain: [ours] }),
      ...(isToTheEnd && { preTerminate: [ours] }),
      metadata: { annotations, finalizers: [syncFinalizer] },
      spec: authoritative,
      status: authoritative,
      hasServer: authority === 'MachineAPI',
    });
    const paused = authority === 'MachineAPI' ? pause : {};
    this.worker(name, {
      metadata: {
        annotations: {
          ...annotations,
          ...paused,
          ...(!isNew && { [hook]: ours.owner }),
          ...(isToTheEnd && { [lastHook]: ours.owner }),
        },
        finalizers: isMarked ? [syncFinalizer] : [],
        ...(role && { labels: { [`node-role.kubernetes.io/${role}`]: '' } }),
      },
      spec: { providerID: `local:///${name}` },
      node: null,
      bootstrap: null,
      infrastructure: { annotations: paused },
    });
  }

  /** A DeletionHook in the namespace of each API, with one function. */
  askedInBoth(name: string, spec: object): void {
    this.deletionHook(name, spec);
    const metadata = { name, namespace };
    this.create('deletionhooks.phaseout.dev', {
      apiVersion: 'phaseout.dev/v1alpha1',
      kind: 'DeletionHook',
      metadata,
      spec,
    });
  }

  override begin(): void {
    super.begin();
    this.startAlso(['cluster-api-peer', 'openshift-machine-controller', 'openshift-drain-controller']);
    startOwn(this, machineSync({ mapi: namespace, capi: 'fleet' }));
  }

  /** Somebody deletes the copy in that API. */
  deleteIn(api: Authority, name: string): void {
    this.told.say(`${name} is to be deleted in ${api}`);
    const { cluster } = this.server;
    if (api === 'MachineAPI') cluster.remove(machines, { metadata: { name, namespace } });
    else cluster.remove(resources.machines, { metadata: { name, namespace: 'fleet' } });
  }

  /** The authority begins to move: until it has moved, no API rules the Machine. */
  moves(name: string, to: Authority): void {
    this.told.say(`the authority over ${name} is moving`);
    this.#rules(name, 'Migrating');
    if (to === 'MachineAPI') this.#pause(name, pause);
  }

  moved(name: string, to: Authority): void {
    this.#rules(name, to);
    if (to === 'ClusterAPI') this.#pause(name, noPause);
  }

  /** Both copies are gone. */
  override gone(name: string): Promise<void> {
    const { cluster } = this.server;
    return this.until(
      `${name} is gone`,
      () =>
        cluster.get(machines, namespace, name) === undefined &&
        cluster.get(resources.machines, 'fleet', name) === undefined,
    );
  }

  /** In which APIs our hook is on it. */
  heldIn(name: string): string {
    const inMapi = JSON.stringify(this.server.cluster.get(machines, namespace, name)?.['spec']);
    return [
      ...(inMapi?.includes('"name":"phaseout"') ? ['OpenShift'] : []),
      ...(this.isHeld(name) ? ['Cluster API'] : []),
    ].join(', ');
  }

  /** An infrastructure object says that its server goes only where Cluster API rules. */
  protected override tellOfServers(): void {
    this.provider.cloud.onChange(({ machine }, isGone) => {
      if (isGone) this.told.say(`OpenShift has ended the server of ${machine.name}`);
    });
    this.server.cluster.watch(resources.infrastructure, ({ type, object: { metadata } }) => {
      if (type === 'DELETED') this.told.say(`the infrastructure object of ${metadata.name} is gone`);
    });
  }

  protected override answered(request: Carried, answer: Answer): void {
    super.answered(request, answer);
    this.#safety.request(request, answer);
  }

  #rules(name: string, authoritativeAPI: string): void {
    const place = { metadata: { name, namespace } };
    if (this.server.cluster.get(machines, namespace, name) === undefined) return;
    this.server.cluster.patch(machines, place, { status: { authoritativeAPI } }, 'status');
  }

  #pause(name: string, annotations: Record<string, string | null>): void {
    for (const resource of [resources.machines, resources.infrastructure])
      if (this.server.cluster.get(resource, 'fleet', name) !== undefined)
        this.change(resource, name, { metadata: { annotations } });
  }
}
