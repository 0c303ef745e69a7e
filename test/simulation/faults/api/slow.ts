import type { Fault, FaultSetting } from '../fault.ts';
import { spells } from '../spells.ts';

/** Requests to one API server and their answers take long: some of them longer than anybody waits. */
export const slowApi: Fault = {
  name: 'slow-api',
  about: 'An API server takes up to seconds for whatever it is asked.',
  strike(setting) {
    const { world, random, lasts } = setting;
    const host = random.oneOf([...world.clusters.keys()]);
    const most = random.oneOf([500, 3_000, 12_000]);
    const began = world.now();
    const spellAt = spells(random, lasts, ['in bursts', 'for long']);
    const told = new Set<object>();
    world.meddlers.onStep(({ strand, label }) => {
      if (!isOf(label, host)) return undefined;
      const spell = spellAt(world.now() - began);
      if (spell === undefined) return undefined;
      tell(setting, { spell, told, host, strand });
      return random.between(0, most);
    });
    return undefined;
  },
};

/** As requests are labelled: `get pods/p of blue by instance-1`. */
const isOf = (label: string, host: string): boolean => label.includes(` of ${host} by `);

interface Slowness {
  spell: object;
  told: Set<object>;
  host: string;
  strand: string;
}

function tell({ world }: FaultSetting, { spell, told, host, strand }: Slowness): void {
  if (!told.has(spell)) world.say('the API', `of ${host} is slow`);
  told.add(spell);
  world.hit('slow-api', strand);
}
