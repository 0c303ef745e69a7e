import { expect, test } from 'vitest';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import { createRandom } from '../random.ts';
import { Strand } from '../scheduler.ts';
import { World } from '../world.ts';
import { kubeConfig, openConnection } from './connection.ts';

test.each([
  [undefined, 1],
  [2, 3],
])(
  'where a page has %s objects at most, five of them take so many requests: %i',
  async (pageSize, requests) => {
    const parts = { workloads: [], instances: 0, config: {}, latencyMilliseconds: 0 };
    const world = new World({ ...parts, random: createRandom(1) });
    for (const name of ['a', 'b', 'c', 'd', 'e']) world.management.create('nodes', { metadata: { name } });
    const asked: string[] = [];
    const { options } = openConnection({
      strand: new Strand('one', world.scheduler, () => 0),
      addresses: world.addresses,
      meddlers: world.meddlers,
      tell: (tell) => tell({ before: ({ verb }) => asked.push(verb) }),
      defect: (error) => world.mistaken(error),
      ...(pageSize !== undefined && { pageSize }),
    });
    const listed = connect(kubeConfig, options).list(nodes);
    await world.scheduler.run(world.now() + 1_000);
    expect((await listed).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([asked.filter((verb) => verb === 'list').length, world.violations]).toEqual([requests, []]);
    world.end();
  },
);
