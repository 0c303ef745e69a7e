import {
  checkpoint,
  evict,
  nodeOf,
  removeInfrastructure,
  removeNode,
  save,
  writeCheckpoint,
} from './asked.ts';
import { testsOf } from './cases.ts';
import { hooksHold } from './hooks-hold.ts';
import { infrastructureAfterDrain } from './infrastructure-after-drain.ts';
import { nodeComesLast } from './node-comes-last.ts';
import { checkpointKey } from './sight/machine.ts';
import type { Stage } from './stage.ts';

const preDrain = { metadata: { annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': '' } } };
const preTerminate = {
  metadata: { annotations: { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '' } },
};
const drained = { drain: 'done', 'volume-detach': 'done' };
const over = { ...drained, infrastructure: 'done' };

/** The checkpoint goes on from the drain, and stands at the Node right after. */
function drainIsOver(stage: Stage): void {
  save(stage, { phase: 'drain' });
  save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'done' } });
  save(stage, { seq: 2, phase: 'node', passed: over });
}

async function replaceNode(stage: Stage): Promise<void> {
  const blue = stage.world.cluster('blue');
  const { spec, ...node } = nodeOf(stage);
  blue.remove('nodes', node);
  blue.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' }, spec });
  await stage.pass(10);
}

/** Another Node takes the name of the one that was drained, after what happens meanwhile, and is deleted. */
async function deleteItsHeir(stage: Stage, meanwhile: () => void = () => undefined): Promise<void> {
  stage.look();
  await stage.pass(10);
  drainIsOver(stage);
  meanwhile();
  await replaceNode(stage);
  stage.ask(removeNode(nodeOf(stage)));
}

/** The Node that the Machine names says that it is of another server. The checkpoint may be taken away before. */
async function deleteForeignNode(
  stage: Stage,
  drain: string,
  isTaken: 'no' | 'taken' | 'taken and seen' = 'no',
): Promise<void> {
  stage.patchMachine({ spec: { providerID: 'x://own' } });
  stage.world.cluster('blue').patch('nodes', nodeOf(stage), { spec: { providerID: 'x://other' } });
  await stage.pass(10_000);
  stage.look();
  save(stage, { phase: 'node', passed: { ...over, drain }, node: nodeOf(stage).metadata.uid ?? '' });
  if (isTaken !== 'no') await takeCheckpoint(stage);
  if (isTaken === 'taken and seen') stage.look();
  stage.ask(removeNode(nodeOf(stage)));
}

async function takeCheckpoint(stage: Stage): Promise<void> {
  await stage.pass(10);
  stage.patchMachine({ metadata: { annotations: { [checkpointKey]: null } } });
  await stage.pass(10_000);
}

testsOf([
  {
    about: 'an eviction while a pre-drain hook is there',
    invariant: hooksHold,
    cries:
      'instance-1 evicts Pod shop/a in blue: hooks hold it: pre-drain.delete.hook.machine.cluster.x-k8s.io/a',
    before: (stage) => stage.patchMachine(preDrain),
    act: (stage) => stage.ask(evict(stage.pod('a'))),
  },
  {
    about: 'an eviction while a pre-terminate hook is there',
    invariant: hooksHold,
    before: (stage) => stage.patchMachine(preTerminate),
    act: (stage) => stage.ask(evict(stage.pod('a'))),
  },
  {
    about: 'a hook that came after the instance had looked',
    invariant: hooksHold,
    async act(stage) {
      stage.look();
      await stage.pass(10);
      stage.patchMachine(preDrain);
      await stage.pass();
      stage.ask(evict(stage.pod('a')));
    },
  },
  {
    about: 'the end of the infrastructure while a pre-terminate hook is there',
    invariant: hooksHold,
    cries:
      'instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): hooks hold it: pre-terminate.delete.hook.machine.cluster.x-k8s.io/a',
    before: (stage) => stage.patchMachine(preTerminate),
    act: (stage) => stage.ask(removeInfrastructure(stage)),
  },
  {
    about: 'what the server has refused because the object is another one by now',
    invariant: hooksHold,
    before: (stage) => stage.patchMachine(preDrain),
    act: (stage) => stage.ask(evict(stage.pod('a')), () => undefined, 409),
  },
  {
    about: 'infrastructure whose volumes nobody has looked at',
    invariant: infrastructureAfterDrain,
    cries:
      'instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): its checkpoint does not say how these were passed: volume-detach',
    before: (stage) => save(stage, { phase: 'infrastructure', passed: { drain: 'done' } }),
    act: (stage) => stage.ask(removeInfrastructure(stage)),
  },
  {
    about: 'infrastructure after drain and volumes',
    invariant: infrastructureAfterDrain,
    before: (stage) =>
      save(stage, { phase: 'infrastructure', passed: { drain: 'timed-out', 'volume-detach': 'excluded' } }),
    act: (stage) => stage.ask(removeInfrastructure(stage)),
  },
  {
    about: 'the Node of a Machine whose server is there',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: its checkpoint stands at infrastructure',
    before: (stage) => save(stage, { phase: 'infrastructure', passed: drained }),
    act: (stage) => stage.ask(removeNode(nodeOf(stage))),
  },
  {
    about: 'another Node of that name',
    invariant: nodeComesLast,
    cries:
      'instance-1 deletes Node node-1 in blue: the Machine had another Node of this name, an-earlier-one',
    before: (stage) => save(stage, { phase: 'node', passed: over, node: 'an-earlier-one' }),
    act: (stage) => stage.ask(removeNode(nodeOf(stage))),
  },
  {
    about: 'another Node of that name than the one that was drained, which the checkpoint has forgotten',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: another Node of this name was drained',
    act: (stage) => deleteItsHeir(stage),
  },
  {
    about: 'another Node of that name than the one that was drained, of which somebody has taken the word',
    invariant: nodeComesLast,
    act: (stage) => deleteItsHeir(stage, () => stage.observer.hit?.('checkpoint-corrupted', [], undefined)),
  },
  {
    about: 'another Node of that name than the one whose drain was over by a write that was refused',
    invariant: nodeComesLast,
    async act(stage) {
      stage.look();
      await stage.pass(10);
      save(stage, { phase: 'drain' });
      const refused = checkpoint(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'done' } });
      stage.ask(writeCheckpoint(stage, refused), undefined, 409);
      await replaceNode(stage);
      save(stage, { seq: 1, phase: 'node', passed: { ...over, drain: 'timed-out' } });
      stage.look();
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
  {
    about: 'a Node that registered again before the drain was over',
    invariant: nodeComesLast,
    async act(stage) {
      stage.look();
      await replaceNode(stage);
      drainIsOver(stage);
      stage.look();
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
  {
    about: 'the Node of another server at which only its volumes were looked for',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: it has the providerID x://other',
    act: (stage) => deleteForeignNode(stage, 'excluded'),
  },
  {
    about: 'the Node of another server that was drained',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: it has the providerID x://other',
    act: (stage) => deleteForeignNode(stage, 'timed-out'),
  },
  {
    about: 'the Node of another server that was drained, as the checkpoint said that was taken away since',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: it has the providerID x://other',
    act: (stage) => deleteForeignNode(stage, 'done', 'taken'),
  },
  {
    about: 'the Node of another server that was drained, as a checkpoint said that was seen to be taken away',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: its checkpoint stands at nothing',
    act: (stage) => deleteForeignNode(stage, 'done', 'taken and seen'),
  },
  {
    about: 'the Node of another server that nobody had seen when the time to drain it was over',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: it has the providerID x://other',
    act(stage) {
      save(stage, { phase: 'drain' });
      save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'timed-out' } });
      return deleteForeignNode(stage, 'timed-out');
    },
  },
  {
    about: 'the Node at the end',
    invariant: nodeComesLast,
    before: (stage) => save(stage, { phase: 'node', passed: over, node: nodeOf(stage).metadata.uid ?? '' }),
    act: (stage) => stage.ask(removeNode(nodeOf(stage))),
  },
]);
