import { describe, expect, it } from 'vitest';
import { v1alpha1Definitions } from '../../../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { at, listOf } from '../../../../infra/local/kubernetes/server/json.ts';
import { readManifests } from '../../../../infra/terminal/manifests.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const read = async (file: string): Promise<KubeObject[]> => {
  const { pathname } = new URL(`../../../../infra/${file}`, import.meta.url);
  return (await readManifests([pathname])).map(({ object }) => object);
};

const [definition] = await read('crds/machinedrainrules.yaml');
const policies = await read('admission/machine-drain-rules.yaml');

const aServer = () => createApiServer({ clock: new VirtualClock(Date.parse('2026-01-02T00:00:00Z')) });

function ask(server: ApiServer, method: string, path: string, body?: unknown) {
  const isApply = method === 'PATCH';
  const answer = server.respond({
    method,
    path,
    query: isApply ? { fieldManager: 'phaseout' } : {},
    headers: isApply ? { 'content-type': 'application/apply-patch+yaml' } : {},
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const said: unknown =
    answer.headers['content-type'] === 'application/json' ? JSON.parse(answer.body) : answer.body;
  return { status: answer.status, body: said };
}

const definitionPath =
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/machinedrainrules.cluster.x-k8s.io';
const rulesPath = (version: string) =>
  `/apis/cluster.x-k8s.io/${version}/namespaces/default/machinedrainrules`;
const resources: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};
const policyPath = ({ kind = '', metadata }: KubeObject): string =>
  `/apis/admissionregistration.k8s.io/v1/${resources[kind]}/${metadata.name}`;

function serverWithDefinition(): ApiServer {
  const server = aServer();
  expect(ask(server, 'PATCH', definitionPath, definition).status).toBe(201);
  return server;
}

const aRule = (spec: object, version = 'v1beta2') => ({
  apiVersion: `cluster.x-k8s.io/${version}`,
  kind: 'MachineDrainRule',
  metadata: { name: 'r' },
  spec,
});

describe('a definition that is applied', () => {
  it('is established, and serves its kind at all its versions', () => {
    const server = serverWithDefinition();
    const { body } = ask(server, 'GET', definitionPath);
    const conditions = listOf(at(body, 'status', 'conditions')).map((one) => [
      at(one, 'type'),
      at(one, 'status'),
    ]);
    expect(conditions).toEqual([
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ]);
    const rule = aRule({ drain: { behavior: 'Skip' } }, 'v1beta1');
    expect(ask(server, 'POST', rulesPath('v1beta1'), rule).status).toBe(201);
    expect(ask(server, 'GET', `${rulesPath('v1beta2')}/r`).body).toMatchObject({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      metadata: { name: 'r', generation: 1 },
      spec: { drain: { behavior: 'Skip' } },
    });
  });

  it('is as it was when it is applied again', () => {
    const server = serverWithDefinition();
    const { body } = ask(server, 'GET', definitionPath);
    expect(ask(server, 'PATCH', definitionPath, definition)).toEqual({ status: 200, body });
  });

  it('has its rules in CEL evaluated', () => {
    const entry = { selector: { matchLabels: { a: 'b' } } };
    const twice = aRule({ drain: { behavior: 'Drain' }, pods: [entry, entry] });
    const { status, body } = ask(serverWithDefinition(), 'POST', rulesPath('v1beta2'), twice);
    expect({ status, message: at(body, 'message') }).toEqual({
      status: 422,
      message:
        'MachineDrainRule.cluster.x-k8s.io "r" is invalid: spec.pods: Invalid value: entries in pods must be unique',
    });
  });

  it('takes its objects with it when it goes', () => {
    const server = serverWithDefinition();
    ask(server, 'POST', rulesPath('v1beta2'), aRule({ drain: { behavior: 'Skip' } }));
    expect(ask(server, 'DELETE', definitionPath).status).toBe(200);
    expect(ask(server, 'GET', rulesPath('v1beta2')).status).toBe(404);
    ask(server, 'PATCH', definitionPath, definition);
    expect(at(ask(server, 'GET', rulesPath('v1beta2')).body, 'items')).toEqual([]);
  });
});

describe('a definition in a group of the Kubernetes project', () => {
  const machines = v1alpha1Definitions.find(({ metadata }) => metadata.name === 'machines.cluster.k8s.io');
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/machines.cluster.k8s.io';

  it('is taken when it says that it is one', () => {
    expect(ask(aServer(), 'PATCH', path, machines).status).toBe(201);
  });

  it('is refused when it does not', () => {
    const silent = { ...machines, metadata: { name: 'machines.cluster.k8s.io' } };
    expect(at(ask(aServer(), 'PATCH', path, silent).body, 'message')).toBe(
      'CustomResourceDefinition.apiextensions.k8s.io "machines.cluster.k8s.io" is invalid: metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    );
  });
});

it('policies that are applied hold from then on, until they go', () => {
  const server = serverWithDefinition();
  const apply = (order: number) =>
    ask(server, 'PATCH', `${rulesPath('v1beta2')}/r`, aRule({ drain: { behavior: 'Skip', order } })).status;
  const before = apply(1);
  const installed = policies.map((object) => ask(server, 'PATCH', policyPath(object), object).status);
  const during = apply(2);
  const removed = policies.map((object) => ask(server, 'DELETE', policyPath(object)).status);
  expect({ before, installed, during, removed, after: apply(3) }).toEqual({
    before: 201,
    installed: [201, 201],
    during: 422,
    removed: [200, 200],
    after: 200,
  });
});
