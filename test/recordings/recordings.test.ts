import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Fleet, resources } from '../stories/stage/fleet.ts';
import { ends } from './ends.ts';
import { asRecorded, cordon, isAbout, play } from './play.ts';
import { Recorded } from './recorded.ts';
import { passes } from './recordings.ts';
import { eventsOf, stateOf } from './state.ts';

let fleet: Fleet | undefined;
afterEach(() => fleet?.end());
const set = (stage: Fleet): void => void (fleet = stage);

/** The recorded client held itself up, too, in the words of its own library. */
const isOfTheServer = (event: string): boolean => !event.includes('client rate limiter');

describe.each(['v1beta2', 'v1beta1'] as const)(
  'a Machine of %s is left as Cluster API leaves it',
  (version) => {
    it.each(Object.entries(passes))('%s', async (_title, pass) => {
      const [file, name] = pass.recorded;
      const recorded = new Recorded(file);
      const { cluster } = (await play(pass, recorded, version, set)).server;
      const machine = cluster.get(resources.machines, 'fleet', 'worker-1');
      expect(stateOf(asRecorded(machine!, name))).toStrictEqual(stateOf(recorded.machine));
      const events = asRecorded(cluster.list('events').filter(isAbout), name);
      expect(eventsOf(events)).toStrictEqual(eventsOf(recorded.of('Event')));
      expect(cordon(cluster.get('nodes', '', 'node-1'))).toBe(cordon(recorded.of('Node')[0]));
    });

    it.each(Object.entries(ends))('after its end: %s', async (_title, end) => {
      const [file, name] = end.recorded;
      const recorded = new Recorded(file);
      const { server } = await play(end, new Recorded(end.before), version, set);
      expect(server.cluster.get(resources.machines, 'fleet', 'worker-1')).toBeUndefined();
      const events = asRecorded(server.cluster.list('events').filter(isAbout), name);
      expect(eventsOf(events)).toStrictEqual(eventsOf(recorded.of('Event')).filter(isOfTheServer));
      const nodes = server.cluster.list('nodes').filter(({ metadata }) => metadata.name === 'node-1');
      expect(nodes.map(cordon)).toStrictEqual(recorded.of('Node').map(cordon));
    });
  },
);

/** What there was before a deletion, which says nothing of it, and what is no Machine. */
const beside = ['00-running', '22-eviction-answers', '70-node-missing-before-delete'];

it('no recording of Cluster API is left out', () => {
  const folder = new URL('../golden/capi/', import.meta.url);
  const recorded = readdirSync(folder).map((file) => file.replace(/\.(yaml|json)$/, ''));
  const played = [...Object.values(passes), ...Object.values(ends)].map((pass) => pass.recorded[0]);
  expect(recorded.toSorted()).toEqual([...beside, ...played].toSorted());
});
