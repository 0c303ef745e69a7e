import type { Fleet } from '../stories/stage/fleet.ts';
import { type Pass, passes } from './recordings.ts';

/** What is left when the Machine is gone: its Events, and its Node where that could not be deleted. */
interface End extends Pass {
  /** The recording that the scene is built from. */
  before: string;
}

const heldByVolumes = passes['a claim whose volume is attached']!;
const keptNode = passes['a Node that cannot be deleted']!;

async function detach(stage: Fleet): Promise<void> {
  const { cluster } = stage.server;
  cluster.patch('nodes', { metadata: { name: 'node-1' } }, { status: { volumesAttached: [] } }, 'status');
  const attachments = 'volumeattachments.storage.k8s.io';
  for (const attachment of cluster.list(attachments)) cluster.remove(attachments, attachment);
  await stage.seconds(25);
}

export const ends: Record<string, End> = {
  'an empty Node': {
    recorded: ['99-gone-events', 'g-run-yam8'],
    before: '00-running',
    scene: (stage) => stage.worker('worker-1'),
    async plot(stage) {
      stage.delete('worker-1');
      await stage.gone('worker-1');
    },
  },
  'volumes that came off': {
    ...heldByVolumes,
    recorded: ['98-gone-events-volume', 'g-vol-yam8'],
    before: '30-waiting-for-volume-detach',
    async plot(stage) {
      await heldByVolumes.plot(stage);
      await detach(stage);
    },
  },
  'a Node that could not be deleted in time': {
    ...keptNode,
    recorded: ['61-node-deletion-timeout-passed', 'g-nodefail-yam8'],
    before: '60-deleting-node-error',
    async plot(stage) {
      await keptNode.plot(stage);
      // Within 44.2 s of the deletion, as recorded. 12 of them are over.
      await stage.seconds(32.2);
    },
  },
};
