import { type BesideOpenShiftFleet } from '../stage/beside/openshift-fleet.ts';
import { machines } from '../stage/openshift.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/others-node';
const excluded = { 'machine.openshift.io/exclude-node-draining': '' };

/** worker-1 names node-2, which is that of worker-2. */
function twoOnOneNode(fleet: BesideOpenShiftFleet, annotations: Record<string, string> = {}): void {
  const nodeRef = { kind: 'Node', name: 'node-2', uid: 'uid-of-an-older-one' };
  fleet.held('worker-1', { node: null, metadata: { annotations }, status: { nodeRef } });
  fleet.held('worker-2');
  fleet.pods('web', 2, 'node-2');
}

story(group, "another server's is held until its nodeRef is taken off", {
  scene: twoOnOneNode,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(3_600);
    if (!fleet.isHeld('worker-1')) throw new Error('worker-1 has lost our hook');
    fleet.told.say('somebody takes the nodeRef off');
    fleet.change(machines, 'worker-1', { status: { nodeRef: null } }, 'status');
    await fleet.gone('worker-1');
  },
});

story(
  group,
  "another server's is told of at once where it is excluded from drains: all hooks are passed over",
  {
    scene: (fleet) => twoOnOneNode(fleet, excluded),
    async plot(fleet) {
      fleet.delete('worker-1');
      await fleet.gone('worker-1');
    },
  },
);

story(group, 'a deletion that began without our hook is told of at once', {
  scene(fleet) {
    const nodeRef = { kind: 'Node', name: 'node-2', uid: 'uid-of-an-older-one' };
    fleet.machineThatRuns('worker-1', { node: null, status: { nodeRef } });
    fleet.held('worker-2');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
