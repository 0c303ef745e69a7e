import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';
import type { EventPassage } from '../../platform/event-fate.ts';
import type { Fault, FaultSetting } from '../fault.ts';
import { eventFault } from './event-fault.ts';

const prefix = 'dev.knative.apiserver.resource.';

const isChange = ({ to, event }: EventPassage): boolean =>
  to === undefined && event.attributes['type']?.startsWith(prefix) === true;

const isOfType = ({ event }: EventPassage, verb: string): boolean =>
  event.attributes['type'] === `${prefix}${verb}`;

/** An event of a source in the place of another one: no watch has sent it to the Broker. */
function slipIn({ world, random }: FaultSetting, { attributes, data }: CloudEvent, type: string): void {
  const id = `slipped-in-${random.between(0, 1e9)}`;
  void world.eventing.slipIn({ attributes: { ...attributes, id, type: `${prefix}${type}` }, data });
}

const falseDelete = eventFault({
  name: 'false-delete-event',
  about: 'An event tells that a Machine is gone which is still there, as when it leaves a selector.',
  becomes: 'of the end of a Machine come although it is there',
  fits: (passage) => isChange(passage) && !isOfType(passage, 'delete'),
  fate(passage, setting) {
    slipIn(setting, passage.event, 'delete');
    return setting.random.oneOf(['arrives', 'is lost']);
  },
});

interface OldState {
  name: string;
  about: string;
  becomes: string;
  verbs: readonly string[];
}

const verbIn = (passage: EventPassage, verbs: readonly string[]): string | undefined =>
  isChange(passage) ? verbs.find((verb) => isOfType(passage, verb)) : undefined;

/** In the place of an event comes one of the same type with an earlier state of its Machine. */
const oldState = ({ verbs, ...fault }: OldState): Fault => ({
  ...fault,
  strike(setting) {
    const earlier = remembered(setting);
    return eventFault({
      ...fault,
      fits: (passage) => verbIn(passage, verbs) !== undefined && earlier(passage.event).length > 0,
      fate(passage) {
        const { data } = setting.random.oneOf(earlier(passage.event));
        slipIn(setting, { ...passage.event, data }, verbIn(passage, verbs) ?? '');
        return 'is lost';
      },
    }).strike(setting);
  },
});

const subjectOf = ({ attributes }: CloudEvent): string => attributes['subject'] ?? '';

/** What sources sent about the Machine of an event before it, oldest first. */
function remembered({ world }: FaultSetting): (event: CloudEvent) => readonly CloudEvent[] {
  const told = new Map<string, CloudEvent[]>();
  world.meddlers.onEvent((passage) => {
    const { event } = passage;
    if (isChange(passage)) told.set(subjectOf(event), [...(told.get(subjectOf(event)) ?? []), event]);
    return undefined;
  });
  return (event) => (told.get(subjectOf(event)) ?? []).filter((other) => other !== event);
}

/** Events that are not true. */
export const untrue: readonly Fault[] = [
  falseDelete,
  oldState({
    name: 'delete-event-with-old-state',
    about:
      'The event that a Machine is gone shows an earlier state of it: with finalizers, hooks and checkpoint.',
    becomes: 'of the end of a Machine show an earlier state of it',
    verbs: ['delete'],
  }),
  oldState({
    name: 'events-with-old-state',
    about: 'Events show an earlier state of their Machine.',
    becomes: 'show an earlier state of their Machine',
    verbs: ['add', 'update'],
  }),
];
