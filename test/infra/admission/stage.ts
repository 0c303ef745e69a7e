import { openShiftDefinitions } from '../../../infra/local/kubernetes/crds/openshift.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { installPolicies, readAdmissionPolicies } from '../../../infra/local/load/admission-policies.ts';
import { VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';

export interface Hook {
  name: string;
  owner: string;
}

export interface Hooks {
  preDrain?: Hook[];
  preTerminate?: Hook[];
}

export const etcd: Hook = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };
export const backup: Hook = { name: 'backup', owner: 'team/backup' };
export const audit: Hook = { name: 'audit', owner: 'team/audit' };

const finalizer = 'machine.machine.openshift.io';
const path = '/apis/machine.openshift.io/v1beta1/namespaces/default/machines/m';

/** What an update was answered: its code, reason and message, or the object. */
export interface Answer {
  status: number;
  body: { message?: string; reason?: string; details?: unknown } & Partial<KubeObject>;
}

/** An API server that holds one Machine with these hooks under the policy. */
export class Stage {
  readonly server: ApiServer;

  private constructor(server: ApiServer) {
    this.server = server;
  }

  static async with(lifecycleHooks: Hooks | undefined, { isDeleting = true } = {}): Promise<Stage> {
    const server = createApiServer({ clock: new VirtualClock(Date.parse('2026-01-02T00:00:00Z')) });
    for (const one of openShiftDefinitions)
      server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', one);
    installPolicies(server, await readAdmissionPolicies());
    const machine = server.cluster.create('machines.machine.openshift.io', {
      metadata: { name: 'm', namespace: 'default', finalizers: [finalizer] },
      spec: { providerSpec: { value: {} }, ...(lifecycleHooks && { lifecycleHooks }) },
    });
    if (isDeleting) server.cluster.remove('machines.machine.openshift.io', machine);
    return new Stage(server);
  }

  machine(): KubeObject {
    const found = this.server.cluster.get('machines.machine.openshift.io', 'default', 'm');
    if (!found) throw new Error('the Machine is gone');
    return found;
  }

  /** A merge patch, of the Machine or of its status. */
  patch(changes: object, subresource = ''): Answer {
    return this.#ask('PATCH', changes, 'application/merge-patch+json', { subresource });
  }

  /** A server-side apply of these fields alone. */
  apply(fields: object): Answer {
    const object = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'm' },
      ...fields,
    };
    const query = { fieldManager: 'tests', force: 'true' };
    return this.#ask('PATCH', object, 'application/apply-patch+yaml', { query });
  }

  put(object: KubeObject): Answer {
    return this.#ask('PUT', object, 'application/json');
  }

  setHooks(lifecycleHooks: object): Answer {
    return this.patch({ spec: { lifecycleHooks } });
  }

  #ask(
    method: string,
    body: object,
    type: string,
    { subresource = '', query = {} }: { subresource?: string; query?: Record<string, string> } = {},
  ): Answer {
    const at = subresource === '' ? path : `${path}/${subresource}`;
    const request = {
      method,
      path: at,
      query,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    };
    const response = this.server.respond(request);
    return { status: response.status, body: JSON.parse(response.body) };
  }
}
