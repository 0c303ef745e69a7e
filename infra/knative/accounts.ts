import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Installation } from './installed.ts';

export const namespaceOf = ({ file: { namespace } }: Installation): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { 'bindings.knative.dev/include': 'true' } },
});

export function serviceAccounts({ file, namespaces }: Installation): KubeObject[] {
  const { functions, sources, table } = file.serviceAccounts;
  const { namespace } = file;
  return [
    account(functions, namespace),
    // The set-up of the table asks Kubernetes for nothing.
    { ...account(table, namespace), automountServiceAccountToken: false },
    ...(namespaces ?? [namespace]).map((each) => account(sources, each)),
  ];
}

const account = (name: string, namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace },
});
