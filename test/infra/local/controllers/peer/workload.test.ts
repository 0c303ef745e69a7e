import { afterEach, describe, expect, it } from 'vitest';
import { aLoadedNode } from '../machines/fleet.ts';
import { aPlatform, aPod, type Platform } from '../platform.ts';
import { aPeer, type Peer } from './stage.ts';

let peer: Peer;
let workload: Platform;

afterEach(() => {
  peer.stop();
  workload.stop();
});

/** Both clusters have a Node `m` with a Pod; that of the Machine is in the other one. */
function aPeerElsewhere(isAlive: (name: string) => boolean = () => true) {
  const slow = { annotations: { 'local.phaseout.dev/stop-seconds': '5' } };
  workload = aPlatform({
    loaded: [aLoadedNode('m', { spec: { providerID: 'peer://m' } }), aPod('theirs', { node: 'm', ...slow })],
  });
  const { cluster } = workload;
  peer = aPeer('m', {
    pods: { ours: {} },
    workload: ({ name }) => (isAlive(name) ? cluster : undefined),
  });
}

async function seconds(count: number) {
  for (let second = 0; second < count; second += 1) {
    await workload.seconds(1);
    await peer.seconds(1);
  }
}

describe('the peer of a Machine whose Node is in another cluster', () => {
  it('drains and deletes the Node there, and leaves the one of the same name here', async () => {
    aPeerElsewhere();
    peer.deletes();
    await seconds(2);
    expect(peer.deleting()).toContain('* Pod default/theirs: deletionTimestamp set');
    await seconds(25);
    expect(peer.isGone()).toBe(true);
    expect(workload.list('nodes')).toEqual([]);
    expect(peer.node('m').spec?.unschedulable).toBeUndefined();
    expect(peer.pods()).toEqual(['ours']);
  });

  it('looks beside the Machine where no other cluster is named', async () => {
    aPeerElsewhere((name) => name !== 'peer');
    peer.deletes();
    await seconds(25);
    expect(peer.isGone()).toBe(true);
    expect(peer.pods()).toEqual([]);
    expect(workload.pods()).toEqual(['theirs']);
  });
});
