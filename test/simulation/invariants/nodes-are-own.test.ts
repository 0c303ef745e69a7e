import { cordon, evict, nodeOf } from './asked.ts';
import { testsOf } from './cases.ts';
import { nodesAreOwn } from './nodes-are-own.ts';
import type { Stage } from './stage.ts';

const invariant = nodesAreOwn;

/** The Node that the Machine names says that it is of another server, and has for long. */
async function ofAnotherServer(stage: Stage): Promise<void> {
  stage.patchMachine({ spec: { providerID: 'x://own' } });
  stage.world.cluster('blue').patch('nodes', nodeOf(stage), { spec: { providerID: 'x://other' } });
  await stage.pass(10_000);
  stage.look();
}

testsOf([
  {
    about: "the Machine's own Node is cordoned",
    invariant,
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
  },
  {
    about: 'the Node of another server is cordoned',
    invariant,
    before: ofAnotherServer,
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
    cries: 'instance-1 cordons Node node-1 in blue: Node node-1 is of another server',
  },
  {
    about: 'a Pod on it is evicted',
    invariant,
    before: ofAnotherServer,
    act: (stage) => stage.ask(evict(stage.pod('a'))),
    cries: 'instance-1 evicts Pod shop/a in blue: Node node-1 is of another server',
  },
]);
