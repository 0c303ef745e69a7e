import { nodeOf, save } from './asked.ts';
import { testsOf } from './cases.ts';
import { nodesAreGoing } from './nodes-are-going.ts';
import type { Stage } from './stage.ts';

const saveNodeDone = (stage: Stage): void =>
  save(stage, { seq: 1, phase: 'finalize', passed: { node: 'done' } });

/** The checkpoint stands at the Node, whose UID it knows. */
function atNode(stage: Stage, node?: string): void {
  save(stage, { phase: 'node', ...(node !== undefined && { node }) });
}

const removeNodeNow = (stage: Stage): void => stage.world.cluster('blue').remove('nodes', nodeOf(stage));

testsOf([
  {
    about: 'a Node that is there is said to be gone',
    invariant: nodesAreGoing,
    cries: 'instance-1 writes the checkpoint of Machine fleet/m1: Node node-1 is there',
    before: (stage) => atNode(stage, nodeOf(stage).metadata.uid),
    act: saveNodeDone,
  },
  {
    about: 'and so is one of which the checkpoint knows nothing',
    invariant: nodesAreGoing,
    cries: 'instance-1 writes the checkpoint of Machine fleet/m1: Node node-1 is there',
    before: (stage) => atNode(stage),
    act: saveNodeDone,
  },
  {
    about: 'a Node that is gone',
    invariant: nodesAreGoing,
    before(stage) {
      atNode(stage);
      removeNodeNow(stage);
    },
    act: saveNodeDone,
  },
  {
    about: 'a Node that somebody holds by a finalizer',
    invariant: nodesAreGoing,
    before(stage) {
      atNode(stage);
      const metadata = { finalizers: ['nodes.example/inventory'] };
      stage.world.cluster('blue').patch('nodes', nodeOf(stage), { metadata });
      removeNodeNow(stage);
    },
    act: saveNodeDone,
  },
  {
    about: 'another Node of that name',
    invariant: nodesAreGoing,
    before: (stage) => atNode(stage, 'an-earlier-one'),
    act: saveNodeDone,
  },
  {
    about: 'a Node that is left because its time is over',
    invariant: nodesAreGoing,
    before: (stage) => atNode(stage),
    act: (stage) => save(stage, { seq: 1, phase: 'finalize', passed: { node: 'timed-out' } }),
  },
]);
