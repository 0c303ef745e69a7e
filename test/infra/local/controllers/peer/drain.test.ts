import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { meta } from '../platform.ts';
import { recordedSaid, said } from './recorded.ts';
import { aBudget, aPeer, machines, type Peer, type Version } from './stage.ts';

const web = { labels: { app: 'web' } };
const neverStops = { annotations: { 'local.phaseout.dev/never-stops': 'true' } };
const podsOf = <T>(name: string, suffixes: readonly string[], asks: T): Record<string, T> =>
  Object.fromEntries(suffixes.map((suffix) => [`${name}-${suffix}`, asks]));
const preTerminate = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`pre-terminate.delete.hook.machine.cluster.x-k8s.io/${name}`, '']));
const recordedDeleting = (file: string) => recordedSaid(`capi/${file}`).v1beta2['Deleting'];
const aDaemonSet = (name: string) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: `uid-${name}` });

let peer: Peer;
afterEach(() => peer.stop());

/** Deletes the Machine once its Pods run. */
async function deletes() {
  await peer.seconds(2);
  peer.deletes();
  await peer.seconds(1);
}

describe.each<Version>(['v1beta2', 'v1beta1'])('a deletion without phaseout, in %s', (version) => {
  it('tells of Pods that a budget keeps', async () => {
    const name = 'g-pdb-yam8';
    const suffixes = ['78qks', 'bzvlm', 'd4l6z', 'z1', 'z2', 'z3', 'z4', 'z5', 'z6', 'z7'];
    const objects = [aBudget(name, { minAvailable: 10 })];
    peer = aPeer(name, { version, pods: podsOf(name, suffixes, web), objects });
    await deletes();
    expect(said(peer.machine())).toEqual(recordedSaid('capi/20-draining-pdb-blocked'));
    await peer.seconds(45);
    expect(said(peer.machine())).toEqual(recordedSaid('capi/21-draining-pdb-blocked-after-40s'));
  });

  it('tells of Pods over which there are two budgets', async () => {
    const name = 'g-evict-yam8';
    const objects = [aBudget('one'), aBudget('two')];
    peer = aPeer(name, { version, pods: podsOf(name, ['9pfn5', 'bszl5'], web), objects });
    await deletes();
    expect(said(peer.machine())).toEqual(recordedSaid('capi/23-draining-two-pdbs'));
  });

  it('tells of Pods that take their time', async () => {
    const name = 'g-term-yam8';
    peer = aPeer(name, { version, pods: podsOf(name, ['p0', 'p1', 'p2', 'p3', 'p4'], neverStops) });
    await deletes();
    expect(said(peer.machine())).toEqual(recordedSaid('capi/25-draining-terminating'));
  });

  it('goes on when the time for the drain is up', async () => {
    const name = 'g-dto-yam8';
    peer = aPeer(name, {
      version,
      annotations: preTerminate('x'),
      pods: podsOf(name, ['lz2cj', 'zcfg4'], web),
      objects: [aBudget(name, { minAvailable: 2 })],
      deletion: { nodeDrainTimeoutSeconds: 40 },
    });
    await deletes();
    await peer.seconds(45);
    expect(said(peer.machine())).toEqual(recordedSaid('capi/28-drain-timeout-passed'));
    expect(peer.events()).toEqual([
      `Normal NodeVolumesDetached success waiting for node volumes detaching Machine's node "${name}"`,
    ]);
  });

  it('waits for every kind of volume that is attached', async () => {
    const name = 'g-vol-yam8';
    const attached = (volume: string): KubeObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: `of-${volume}` },
      spec: { attacher: 'csi.peer', nodeName: name, source: { persistentVolumeName: volume } },
      status: { attached: true },
    });
    const unclaimed: KubeObject = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${name}-2` },
      spec: { csi: { driver: 'csi.peer', volumeHandle: 'h-2' } },
    };
    peer = aPeer(name, {
      version,
      claim: `${name}-claim`,
      objects: [unclaimed, attached(`${name}-2`), attached(`${name}-missing`)],
      detachSeconds: 600,
    });
    await peer.seconds(1);
    const volumesAttached = [
      ...peer.node(name).status!.volumesAttached!,
      { name: 'kubernetes.io/csi/csi.peer^unknown', devicePath: '' },
    ];
    peer.patch('nodes', name, { status: { volumesAttached } }, 'status');
    await deletes();
    expect(said(peer.machine())).toEqual(recordedSaid('capi/31-waiting-for-volume-detach-all'));
  });

  it('waits for pre-terminate hooks after the drain', async () => {
    const name = 'g-preterm-yam8';
    peer = aPeer(name, { version, annotations: preTerminate('backup', 'etcd'), pods: { web: {} } });
    await deletes();
    await peer.seconds(30);
    expect(said(peer.machine())).toEqual(recordedSaid('capi/40-pre-terminate-hook'));
  });

  it('waits for the infrastructure, and then for the bootstrap configuration', async () => {
    peer = aPeer('g-infra-yam8', { version, infrastructureSeconds: 30 });
    await deletes();
    expect(said(peer.machine())).toEqual(recordedSaid('capi/50-waiting-for-infrastructure'));
    await peer.seconds(40);
    expect(said(peer.machine())).toEqual(recordedSaid('capi/51-waiting-for-bootstrap'));
    expect(await peer.secondsUntilGone()).toBeGreaterThan(15);
  });
});

describe('the drain of the peer', () => {
  it('does not wait on a Node that does not answer for Pods that were deleted', async () => {
    const name = 'g-unreach-yam8';
    peer = aPeer(name, {
      annotations: preTerminate('x'),
      pods: podsOf(name, ['p0', 'p1'], neverStops),
      claim: 'c1',
      detachSeconds: 600,
    });
    await peer.seconds(2);
    peer.setReady(name, 'Unknown');
    peer.deletes();
    await peer.seconds(1);
    expect(said(peer.machine()).v1beta2['Deleting']).toBe(recordedDeleting('26-draining-unreachable'));
    expect(peer.list('pods')[0]?.metadata.deletionGracePeriodSeconds).toBe(1);
    await peer.seconds(20);
    expect(said(peer.machine()).v1beta2['Deleting']).toBe(recordedDeleting('27-unreachable-drain-skipped'));
  });

  it('leaves Pods of DaemonSets, and evicts those whose DaemonSet is gone', async () => {
    const set: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { ...meta('agent'), namespace: 'bench', uid: 'uid-agent' },
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: {} },
      },
    };
    const pods = {
      agent: { owner: aDaemonSet('agent') },
      orphan: { owner: aDaemonSet('gone'), ...neverStops },
    };
    peer = aPeer('m', { pods, objects: [set], except: ['daemonset', 'garbage-collector'] });
    await deletes();
    expect(peer.deleting()).toMatch(
      /^DrainingNode: Drain not completed yet \(started at [^)]+\):\n\* Pod bench\/orphan: deletionTimestamp set/,
    );
  });

  it('says of a namespace that is going why its Pods stay', async () => {
    peer = aPeer('m', { pods: { web: {} }, except: ['namespace'] });
    await peer.seconds(2);
    peer.remove('namespaces', 'bench', '');
    peer.deletes();
    await peer.seconds(1);
    expect(peer.deleting()).toContain(
      '* Pod bench/web: failed to evict Pod, Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)',
    );
  });

  it('tells five reasons at most, and counts the Pods with others', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const pods = Object.fromEntries(names.map((name) => [name, { labels: { app: name } }]));
    const objects = names.map((name) =>
      aBudget(name, { maxUnavailable: 0, selector: { matchLabels: { app: name } } }),
    );
    peer = aPeer('m', { pods, objects });
    await deletes();
    expect(peer.deleting().split('\n')).toHaveLength(7);
    expect(peer.deleting()).toMatch(/\n\* 1 Pod with other issues$/);
  });

  it('does not wait for the volumes of Pods that it leaves', async () => {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'c1' } }];
    const pods = { stays: { labels: { 'cluster.x-k8s.io/drain': 'skip' }, volumes } };
    peer = aPeer('m', { pods, claim: 'c1', detachSeconds: 600 });
    await deletes();
    expect(await peer.secondsUntilGone(3)).toBeGreaterThan(0);
  });

  it('waits for volumes no longer than it may', async () => {
    peer = aPeer('m', { claim: 'c1', detachSeconds: 600, deletion: { nodeVolumeDetachTimeoutSeconds: 30 } });
    await deletes();
    const seconds = await peer.secondsUntilGone();
    expect(seconds).toBeGreaterThan(38);
    expect(seconds).toBeLessThan(43);
  });

  it('finds a Node that the Machine does not name by the provider id', async () => {
    peer = aPeer('m', { pods: { web: {} } });
    peer.patch(machines, 'm', { spec: { providerID: 'peer://m' } });
    peer.patch(machines, 'm', { status: { nodeRef: null } }, 'status');
    await deletes();
    expect(peer.deleting()).toContain('* Pod bench/web: deletionTimestamp set');
  });
});
