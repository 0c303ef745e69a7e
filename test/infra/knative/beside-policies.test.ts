import { describe, expect, test } from 'vitest';
import { readDefinitions } from '../../../infra/knative/definitions.ts';
import type { RenderOptions } from '../../../infra/knative/options.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { ConfigInvalid } from '../../../shared/runtime/config.ts';
import { at, list } from './at.ts';
import { ofKind, only, rendered, written } from './rendered.ts';

const policies = await readDefinitions('admission-beside');
const group = 'admissionregistration.k8s.io/v1';

function renderedBeside(
  environment: Record<string, string> = {},
  more: Partial<RenderOptions> = {},
  file: ServerlessFile = written(),
): KubeObject[] {
  const options = { environment: { PHASEOUT_MODE: 'beside', ...environment }, besidePolicies: policies };
  const objects = rendered(file, {
    machineApis: { capi: 'cluster.x-k8s.io/v1beta2' },
    ...options,
    ...more,
  });
  return objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'beside');
}

const conditions = (objects: readonly KubeObject[]): unknown[] =>
  list(at(only(objects, `${group}/MutatingAdmissionPolicy`), 'spec', 'matchConditions')).map((one) =>
    at(one, 'name'),
  );

const bindingOf = (objects: readonly KubeObject[]): KubeObject =>
  only(objects, `${group}/MutatingAdmissionPolicyBinding`);

describe('the policies beside Cluster API’s own controller', () => {
  test('come with the installation, as they are written', () => {
    const specs = renderedBeside().map(({ metadata: { name, namespace }, spec, data }) => ({
      name,
      namespace,
      spec,
      data,
    }));
    expect(specs).toEqual(
      policies.map(({ metadata: { name, namespace }, spec, data }) => ({ name, namespace, spec, data })),
    );
  });

  test.each([
    ['in place of that controller', { PHASEOUT_MODE: 'replace' }, {}],
    ['where its Machines are not looked after', {}, { machineApis: {} }],
    ['where policies are not wanted', {}, { besidePolicies: [] }],
  ])('are left out %s', (_, environment, more) => {
    expect(renderedBeside(environment, more)).toEqual([]);
  });

  test('are for the namespace and the account of the installation', () => {
    const objects = renderedBeside({}, { namespace: 'elsewhere' });
    expect(only(objects, 'v1/ConfigMap').metadata.namespace).toBe('elsewhere');
    expect(at(bindingOf(objects), 'spec', 'paramRef', 'namespace')).toBe('elsewhere');
    const rights = only(objects, `${group}/ValidatingAdmissionPolicy`);
    expect(at(rights, 'spec', 'matchConditions', 0, 'expression')).toBe(
      "request.userInfo.username == 'system:serviceaccount:elsewhere:phaseout'",
    );
  });

  test('of another service have names of their own, and know its hook', () => {
    const file = { ...written(), service: 'second' };
    const objects = renderedBeside({ PHASEOUT_INSTALLATION: 'blue' }, {}, file);
    expect(objects.map(({ metadata }) => metadata.name)).toEqual([
      'beside-registration.second.phaseout.dev',
      'beside-registration.second.phaseout.dev',
      'second-registration',
      'beside-rights.second.phaseout.dev',
      'beside-rights.second.phaseout.dev',
    ]);
    expect(at(bindingOf(objects), 'spec')).toMatchObject({
      policyName: 'beside-registration.second.phaseout.dev',
      paramRef: { name: 'second-registration' },
    });
    const hooks = JSON.stringify(objects).match(/k8s\.io\/phaseout[-a-z]*/g);
    expect(new Set(hooks)).toEqual(new Set(['k8s.io/phaseout-blue']));
  });

  test('concern the Machines that the installation looks after', () => {
    const selector = { PHASEOUT_BESIDE_SELECTOR: 'pool=blue' };
    expect(
      at(bindingOf(renderedBeside(selector, { namespaces: ['a', 'b'] })), 'spec', 'matchResources'),
    ).toEqual({
      objectSelector: { matchLabels: { pool: 'blue' } },
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'b'] }],
      },
    });
  });

  test('are refused for a selector that cannot be read', () => {
    expect(() => renderedBeside({ PHASEOUT_BESIDE_SELECTOR: 'a b' })).toThrow(
      new ConfigInvalid([
        'PHASEOUT_BESIDE_SELECTOR: "a b" is no requirement such as a=b, a!=b, a in (b, c), a notin (b), a or !a',
      ]),
    );
  });

  test.each([
    ['PHASEOUT_BESIDE_CONTROL_PLANES', ['not-released', 'without-the-hook', 'no-machine-pool']],
    ['PHASEOUT_BESIDE_MACHINE_POOLS', ['not-released', 'without-the-hook', 'no-control-plane']],
  ])('take in what %s allows', (name, expected) => {
    expect(conditions(renderedBeside({ [name]: 'true' }))).toEqual(expected);
  });

  test('come last: nothing gets a hook before there is somebody to take it off', () => {
    const kinds = rendered(written(), {
      machineApis: { capi: 'cluster.x-k8s.io/v1beta2' },
      environment: { PHASEOUT_MODE: 'beside' },
      besidePolicies: policies,
    }).map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe('ValidatingAdmissionPolicyBinding');
    expect(ofKind(policies, `${group}/MutatingAdmissionPolicy`)).toHaveLength(1);
    expect(kinds.indexOf('MutatingAdmissionPolicy')).toBeGreaterThan(kinds.lastIndexOf('PingSource'));
  });
});
