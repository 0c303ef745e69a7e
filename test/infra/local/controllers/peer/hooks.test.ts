import { afterEach, describe, expect, it } from 'vitest';
import { recordedSaid, said } from './recorded.ts';
import {
  aBudget,
  aPeer,
  clusters,
  configs,
  controlPlanes,
  finalizer,
  hook,
  infrastructures,
  machines,
  type Peer,
  type Version,
} from './stage.ts';

const held = { [hook]: 'phaseout.dev' };
const drainExclusion = 'machine.cluster.x-k8s.io/exclude-node-draining';
const volumeExclusion = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';
const waitingForHook = `WaitingForPreDrainHook: Waiting for pre-drain hooks to succeed (hooks: ${hook})`;

let peer: Peer;
afterEach(() => peer.stop());

describe.each<Version>(['v1beta2', 'v1beta1'])(
  'a hook that was there before the deletion, in %s',
  (version) => {
    it('holds the Machine, which says so', async () => {
      peer = aPeer('e1-held', { version, annotations: held });
      peer.deletes();
      await peer.seconds(1);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/01-held'));
    });

    it('leaves the Pods on the Node alone, and the Machine unwritten', async () => {
      peer = aPeer('m', { version, annotations: held, pods: { web: {} } });
      peer.deletes();
      await peer.seconds(1);
      const { resourceVersion } = peer.machine().metadata;
      await peer.seconds(3600);
      expect(peer.machine().metadata.resourceVersion).toBe(resourceVersion);
      expect(peer.pods()).toEqual(['web']);
      expect(peer.node('m').spec?.unschedulable).toBeUndefined();
    });

    it('taken off an empty Node lets the Machine go at once', async () => {
      peer = aPeer('b-hold-yjy', { version, annotations: held });
      peer.deletes();
      await peer.seconds(30);
      peer.annotate({ [hook]: null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
      expect(peer.events()).toEqual([
        'Normal SuccessfulDrainNode success draining Machine\'s node "b-hold-yjy"',
        'Normal NodeVolumesDetached success waiting for node volumes detaching Machine\'s node "b-hold-yjy"',
      ]);
      expect(peer.node('b-hold-yjy')).toBeUndefined();
      expect(peer.list(infrastructures)).toEqual([]);
      expect(peer.list(configs)).toEqual([]);
    });

    it('taken off with Pods left makes the peer drain them, in passes of 20 s', async () => {
      peer = aPeer('b-pods-yjy', {
        version,
        annotations: held,
        pods: { 'b-pods-yjy-p1': {}, 'b-pods-yjy-p2': {} },
      });
      peer.deletes();
      await peer.seconds(5);
      peer.annotate({ [hook]: null });
      await peer.seconds(0.5);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/04-released-pods-left'));
      expect(peer.node('b-pods-yjy').spec?.unschedulable).toBe(true);
      const seconds = await peer.secondsUntilGone();
      expect(seconds).toBeGreaterThan(20);
      expect(seconds).toBeLessThan(23);
    });

    it('gives the Machine over without a drain where the exclusions come with its end', async () => {
      const pods = { web: { annotations: { 'local.phaseout.dev/never-stops': 'true' } } };
      peer = aPeer('m', { version, annotations: held, pods, claim: 'c1', detachSeconds: 600 });
      peer.deletes();
      await peer.seconds(5);
      peer.annotate({ [hook]: null, [drainExclusion]: 'phaseout.dev', [volumeExclusion]: 'phaseout.dev' });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
      expect(peer.events()).toEqual([]);
    });

    it('is followed by what stands in the pre-terminate hooks, also where nothing is drained', async () => {
      const stop = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/stop';
      const pods = { web: { labels: { app: 'web' } } };
      const annotations = { ...held, [stop]: 'x' };
      peer = aPeer('b-excl-2yp', { version, annotations, pods, claim: 'c1', objects: [aBudget('b')] });
      peer.deletes();
      await peer.seconds(5);
      peer.annotate({ [hook]: null, [drainExclusion]: 'phaseout.dev', [volumeExclusion]: 'phaseout.dev' });
      await peer.seconds(60);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/10-released-excluded'));
      peer.annotate({ [stop]: null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
    });

    it('gives over to a peer that waits for a Pod which has completed but is still there', async () => {
      const labels = { 'cluster.x-k8s.io/drain': 'wait-completed' };
      const annotations = { 'local.phaseout.dev/run-seconds': '1' };
      peer = aPeer('e4-completed', {
        version,
        annotations: held,
        pods: { 'e4-completed-job': { labels, annotations } },
        except: ['completed-pods'],
      });
      await peer.seconds(3);
      expect(peer.list('pods')[0]?.status?.phase).toBe('Succeeded');
      peer.deletes();
      await peer.seconds(2);
      peer.annotate({ [hook]: null });
      await peer.seconds(120);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/04-completed-pod-left'));
    });

    it('gives over to a peer that leaves Pods alone which are to be skipped', async () => {
      const labels = { 'cluster.x-k8s.io/drain': 'Skip' };
      const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
      peer = aPeer('m', { version, annotations: held, pods: { stays: { labels }, static: mirror } });
      peer.deletes();
      await peer.seconds(2);
      peer.annotate({ [hook]: null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
    });

    it('taken off with a volume attached makes the peer wait, and look again after 20 s', async () => {
      peer = aPeer('b-vol-yjy', { version, annotations: held, claim: 'b-vol-yjy-claim', detachSeconds: 25 });
      peer.deletes();
      await peer.seconds(2);
      peer.annotate({ [hook]: null });
      await peer.seconds(1);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/05-released-volume-attached'));
      expect(peer.events()).toEqual([
        'Normal SuccessfulDrainNode success draining Machine\'s node "b-vol-yjy"',
      ]);
      await peer.seconds(23);
      expect(peer.list('volumeattachments.storage.k8s.io')).toEqual([]);
      await peer.seconds(14);
      expect(peer.deleting()).toContain('WaitingForVolumeDetach');
      expect(await peer.secondsUntilGone(5)).toBeGreaterThan(0);
    });

    it('does not use up a time limit: that of the peer begins with its own drain', async () => {
      const name = 'b-to1-lv2';
      const pods = { [`${name}-p`]: { labels: { app: 'web' } } };
      const deletion = { nodeDrainTimeoutSeconds: 25 };
      peer = aPeer(name, { version, annotations: held, pods, deletion, objects: [aBudget(name)] });
      peer.deletes();
      await peer.seconds(35);
      peer.annotate({ [hook]: null });
      await peer.seconds(24);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/13-released-after-limit'));
      const seconds = await peer.secondsUntilGone();
      expect(seconds).toBeGreaterThan(15);
      expect(seconds).toBeLessThan(20);
    });

    it('taken off with the drain alone excluded leaves the wait for volumes, from zero', async () => {
      const name = 'b-excd-2yp';
      peer = aPeer(name, { version, annotations: held, claim: `${name}-claim`, detachSeconds: 600 });
      peer.deletes();
      await peer.seconds(5);
      peer.annotate({ [hook]: null, [drainExclusion]: 'phaseout.dev' });
      await peer.seconds(1);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/12-released-drain-excluded-volume'));
    });

    it('taken off while paused changes nothing until the pause ends', async () => {
      peer = aPeer('e10-paused', { version, annotations: held });
      peer.deletes();
      await peer.seconds(1);
      peer.annotate({ 'cluster.x-k8s.io/paused': 'true' });
      await peer.seconds(1);
      peer.annotate({ [hook]: null });
      await peer.seconds(60);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/10-paused-unhooked'));
      peer.annotate({ 'cluster.x-k8s.io/paused': null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
    });

    it('holds through a pause of the Cluster, which is told as such', async () => {
      peer = aPeer('m', { version, annotations: held });
      peer.patch(clusters, 'peer', { spec: { paused: true } });
      peer.deletes();
      await peer.seconds(60);
      expect(said(peer.machine()).v1beta2).toMatchObject({
        Paused: 'True Paused Cluster spec.paused is set to true',
        Deleting: 'False NotDeleting',
      });
      peer.patch(clusters, 'peer', { spec: { paused: false } });
      await peer.seconds(1);
      expect(said(peer.machine()).v1beta2).toMatchObject({ Paused: 'False NotPaused' });
      expect(peer.deleting()).toBe(waitingForHook);
    });

    it('holds a Machine whose Node is deleted meanwhile', async () => {
      peer = aPeer('m', { version, annotations: held });
      peer.deletes();
      await peer.seconds(1);
      peer.remove('nodes', 'm', '');
      await peer.seconds(60);
      expect(peer.deleting()).toBe(waitingForHook);
      peer.annotate({ [hook]: null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
    });

    it('holds a Machine whose infrastructure is deleted meanwhile; its Node is still drained afterwards', async () => {
      peer = aPeer('m', { version, annotations: held, pods: { web: {} } });
      peer.deletes();
      await peer.seconds(1);
      peer.remove(infrastructures, 'm');
      await peer.seconds(0.5);
      expect(peer.deleting()).toBe(waitingForHook);
      peer.annotate({ [hook]: null });
      await peer.seconds(0.2);
      expect(peer.deleting()).toContain('DrainingNode');
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(23);
    });

    it('is ignored where the control plane is being deleted before', async () => {
      peer = aPeer('m', { version, annotations: held, pods: { web: {} } });
      peer.remove(controlPlanes, 'peer');
      peer.deletes();
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
      expect(peer.pods()).toEqual(['web']);
    });

    it('holds on where the control plane is deleted later; taken off, nothing is drained and the Node stays', async () => {
      peer = aPeer('m', { version, annotations: held, pods: { web: {} } });
      peer.deletes();
      await peer.seconds(1);
      peer.remove(controlPlanes, 'peer');
      await peer.seconds(45);
      expect(peer.deleting()).toBe(waitingForHook);
      peer.annotate({ [hook]: null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
      expect(peer.events()).toEqual([]);
      expect(peer.node('m').spec?.unschedulable).toBeUndefined();
    });

    it('ends with the Cluster, but a pre-terminate hook does not', async () => {
      const last = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout';
      peer = aPeer('b6c3om-m', { version, annotations: { ...held, [last]: 'phaseout.dev' } });
      peer.deletes();
      await peer.seconds(5);
      expect(peer.deleting()).toBe(waitingForHook);
      peer.remove(clusters, 'peer');
      await peer.seconds(60);
      expect(peer.deleting()).toBe(
        `WaitingForPreTerminateHook: Waiting for pre-terminate hooks to succeed (hooks: ${last})`,
      );
      peer.annotate({ [last]: null });
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
    });

    it('is not looked at where the Cluster was going before, as the recording says', async () => {
      const last = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout';
      peer = aPeer('b6c3om-m', { version, annotations: { ...held, [last]: 'phaseout.dev' } });
      peer.remove(clusters, 'peer');
      peer.deletes();
      await peer.seconds(5);
      expect(said(peer.machine())).toEqual(recordedSaid('beside/72-cluster-deleted-pre-terminate'));
    });

    it('is ignored without a Node, and for the last Machine of the control plane', async () => {
      peer = aPeer('m', { version, annotations: held, hasNode: false });
      peer.deletes();
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
      peer.stop();
      peer = aPeer('m', { version, annotations: held });
      peer.remove(machines, 'master');
      peer.deletes();
      expect(await peer.secondsUntilGone()).toBeLessThanOrEqual(3);
    });

    it('holds where the control plane is managed elsewhere and has no Machines', async () => {
      peer = aPeer('m', { version, annotations: held });
      peer.patch(controlPlanes, 'peer', { status: { externalManagedControlPlane: true } }, 'status');
      peer.remove(machines, 'master');
      peer.deletes();
      await peer.seconds(60);
      expect(peer.deleting()).toBe(waitingForHook);
    });
  },
);

describe.each<Version>(['v1beta2', 'v1beta1'])('a late hook, in %s', (version) => {
  const slow = { annotations: { 'local.phaseout.dev/stop-seconds': '25' } };

  it('while the peer drains is seen when its 20 s are over', async () => {
    peer = aPeer('e7-late', { version, pods: { 'e7-late-p0': slow, 'e7-late-p1': slow } });
    peer.deletes();
    await peer.seconds(2);
    peer.annotate(held);
    await peer.seconds(17);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/07a-late-hook-while-draining'));
    await peer.seconds(2);
    expect(peer.deleting()).toBe(waitingForHook);
    await peer.seconds(60);
    expect(peer.pods()).toEqual([]);
    expect(peer.deleting()).toBe(waitingForHook);
  });

  it('while the peer drains behind a budget leaves the Pod where it is', async () => {
    const name = 'b-late1-2tz';
    const pods = { [`${name}-p`]: { labels: { app: 'web' } } };
    peer = aPeer(name, { version, pods, objects: [aBudget(name)] });
    await peer.seconds(2);
    peer.deletes();
    await peer.seconds(3);
    peer.annotate(held);
    await peer.seconds(60);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/20-late-hook-during-drain'));
    expect(peer.pods()).toEqual([`${name}-p`]);
  });

  it('while the peer waits for volumes is seen when its 20 s are over', async () => {
    peer = aPeer('e6-volume', { version, claim: 'c1', detachSeconds: 600 });
    peer.deletes();
    await peer.seconds(2);
    peer.annotate(held);
    await peer.seconds(17);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/07b-late-hook-while-volumes'));
    await peer.seconds(2);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/22-late-hook-during-volume-wait'));
  });

  it('while the infrastructure goes is taken at once, and holds what is left', async () => {
    peer = aPeer('e8-infra', { version, infrastructureSeconds: 30 });
    peer.deletes();
    await peer.seconds(2);
    peer.annotate(held);
    await peer.seconds(0.5);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/07c-late-hook-while-infrastructure-goes'));
    await peer.seconds(60);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/07d-late-hook-infrastructure-gone'));
    expect(peer.list(configs)).toHaveLength(1);
    expect(peer.node('e8-infra')).toBeDefined();
  });
});

describe('the peer', () => {
  it('keeps what others say of a Machine', async () => {
    peer = aPeer('e11-cond', { annotations: held });
    const ours = { type: 'phaseout.dev/Draining', status: 'True', reason: 'Draining', message: 'x' };
    const conditions = [
      ...peer.machine().status!.conditions!,
      { ...ours, lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    peer.patch(machines, 'e11-cond', { status: { conditions } }, 'status');
    peer.deletes();
    await peer.seconds(1);
    expect(said(peer.machine())).toEqual(recordedSaid('beside/11-foreign-condition'));
  });

  it('does not undo a change that it has not seen', async () => {
    peer = aPeer('m', { annotations: held });
    const ours = { type: 'phaseout.dev/Draining', status: 'True', reason: 'Draining', message: 'x' };
    peer.forestall(
      (patch) => JSON.stringify(patch).includes('WaitingForPreDrainHook'),
      () => {
        const conditions = [
          ...peer.machine().status!.conditions!,
          { ...ours, lastTransitionTime: '2026-01-01T00:00:00Z' },
        ];
        peer.patch(machines, 'm', { status: { conditions } }, 'status');
      },
    );
    peer.deletes();
    await peer.seconds(1);
    expect(said(peer.machine()).v1beta2).toMatchObject({ 'phaseout.dev/Draining': 'True Draining x' });
    expect(peer.deleting()).toBe(waitingForHook);
  });

  it('puts its finalizer on living Machines', async () => {
    peer = aPeer('m');
    peer.patch(machines, 'm', { metadata: { finalizers: ['other'] } });
    await peer.seconds(1);
    expect(peer.machine().metadata.finalizers).toEqual(['other', finalizer]);
  });

  it('removes its own finalizer alone', async () => {
    peer = aPeer('m');
    peer.patch(machines, 'm', { metadata: { finalizers: [finalizer, 'other'] } });
    peer.deletes();
    await peer.seconds(60);
    expect(peer.machine().metadata.finalizers).toEqual(['other']);
    expect(peer.deleting()).toBe('DeletionCompleted: Deletion completed');
  });

  it('is not there unless it is asked for', async () => {
    peer = aPeer('m', { peer: false });
    peer.deletes();
    await peer.seconds(600);
    expect(said(peer.machine())).toMatchObject({
      phase: 'Running',
      v1beta2: { Deleting: 'False NotDeleting' },
    });
  });
});
