import { expect, it } from 'vitest';
import { kubectlInvitation } from '../../../infra/cli/run/invitation.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { servedAs } from '../host/served-as.ts';

const capi = servedAs(clusterApi, 'v1beta2');
const openshift = servedAs(openShift, 'v1beta1');

const storeEndpoint = 'http://127.0.0.1:7';

async function linesFor(machineApis: (typeof capi)[], ...names: string[]): Promise<readonly string[]> {
  const kubernetes = new FakeCluster([]);
  for (const name of names) kubernetes.put('machines', { metadata: { namespace: 'fleet', name } });
  return (
    await kubectlInvitation(
      { kubernetes, machineApis, storeEndpoint },
      { path: 'k', isReplacement: false },
      { env: {} },
    )
  ).lines;
}

it('names the last Machine, by the short name of its kind where there is only one kind', async () => {
  expect(await linesFor([openshift], 'a', 'b')).toEqual([
    'Serving until Ctrl-C. In another terminal:',
    '  kubectl --kubeconfig k get machines -A',
    '  kubectl --kubeconfig k -n fleet describe machine b',
    '  kubectl --kubeconfig k -n fleet delete machine b --wait=false',
    '  kubectl --kubeconfig k get events -A',
    '  phaseout history --endpoint http://127.0.0.1:7 --since 1h',
  ]);
});

it('says which Machines are meant where there are several kinds: kubectl would only show one', async () => {
  expect(await linesFor([capi, openshift], 'a')).toEqual([
    'Serving until Ctrl-C. In another terminal:',
    '  kubectl --kubeconfig k get machines.cluster.x-k8s.io,machines.machine.openshift.io -A',
    '  kubectl --kubeconfig k -n fleet describe machines.machine.openshift.io a',
    '  kubectl --kubeconfig k -n fleet delete machines.machine.openshift.io a --wait=false',
    '  kubectl --kubeconfig k get events -A',
    '  phaseout history --endpoint http://127.0.0.1:7 --since 1h',
  ]);
});

it('has something in place of the name where there is no Machine', async () => {
  expect((await linesFor([openshift]))[2]).toBe(
    '  kubectl --kubeconfig k -n NAMESPACE describe machine NAME',
  );
  expect((await linesFor([capi, openshift]))[2]).toBe(
    '  kubectl --kubeconfig k -n NAMESPACE describe machines.cluster.x-k8s.io NAME',
  );
});

it('says that the file led to another run before', async () => {
  const kubernetes = new FakeCluster([]);
  const file = { path: 'k', isReplacement: true };
  const { lines, isReplacement } = await kubectlInvitation(
    { kubernetes, machineApis: [capi], storeEndpoint },
    file,
    { env: {} },
  );
  expect(isReplacement).toBe(true);
  expect(lines.slice(0, 2)).toEqual([
    'k was there already, of a run that still serves or was killed: it leads here now.',
    'Serving until Ctrl-C. In another terminal:',
  ]);
});
