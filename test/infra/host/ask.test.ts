import { describe, expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { OutEvent } from '../../../events/types.ts';
import { ask } from '../../../infra/host/ask.ts';
import { MachineUnreadable } from '../../../shared/dialects/dialect.ts';
import { NotDelivered, TooManyRequests } from '../../../shared/http/failures.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import { type InstanceLog, silent } from '../../../shared/runtime/log.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { clockOf } from '../../builders/clock.ts';
import { aCommand } from '../../builders/world.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';

const standing: Clock = clockOf(() => 0);

const commandFor = (name: string, phase: Advance['phase'] = 'drain'): Advance => ({
  ...aCommand({ phase }),
  machine: { ...aCommand().machine, name, uid: `uid-${name}` },
});

const told = (event: OutEvent): string =>
  event.type === 'dev.phaseout.deletion.advance.v1'
    ? `${event.data.machine.name} ${event.data.phase}`
    : event.type;

interface Asking {
  emit?: (event: OutEvent, signal?: AbortSignal) => Promise<void>;
  clock?: Clock;
  step?: (command: Advance) => Promise<OutEvent[]>;
  signal?: AbortSignal;
  /** Which of them is the reply. */
  chance?: number;
  readsReply?: boolean;
  names?: readonly string[];
  log?: InstanceLog;
}

/** What is replied, sent and stepped when a, b and c are asked for. */
async function asked(asking: Asking = {}) {
  const { names = ['a', 'b', 'c'], clock = standing, log = silent } = asking;
  const { emit, step, chance = 0, signal = new AbortController().signal, readsReply = true } = asking;
  const sent: string[] = [];
  const stepped: string[] = [];
  const taken = (command: Advance): Promise<OutEvent[]> => {
    stepped.push(`${command.machine.name} ${command.phase}`);
    return step?.(command) ?? nothing();
  };
  const reply = await ask(
    names.map((name) => commandFor(name)),
    { step: taken, random: () => chance },
    {
      requestId: 'r',
      log,
      clock,
      signal,
      readsReply,
      reserveCapacity: () => undefined,
      emit: (event, sooner) => {
        sent.push(told(event));
        return emit?.(event, sooner) ?? Promise.resolve();
      },
    },
  );
  return { reply: reply && told(reply), sent, stepped };
}

const nothing = (): Promise<OutEvent[]> => Promise.resolve([]);
const refusing = (): Promise<never> => Promise.reject(new NotDelivered('the sink is down'));

const fromDrain = ({ machine, phase }: Advance): Promise<OutEvent[]> =>
  Promise.resolve(phase === 'drain' ? [advance(commandFor(machine.name, 'infrastructure'), 0)] : []);
const again = (command: Advance): Promise<OutEvent[]> => Promise.resolve([advance(command, 0)]);
const failingFor =
  (error: Error) =>
  async ({ machine }: Advance): Promise<OutEvent[]> => {
    if (machine.name === 'b') throw error;
    return [];
  };
const mistaken = (): Promise<never> => Promise.reject(new TypeError('mistake'));

describe('looks are asked for', () => {
  test('of a sink that is down once, not by each: a sweep would never come to its end', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `m-${index}`);
    const { sent, stepped } = await asked({ names, emit: refusing });
    // As many as are begun at the same time.
    expect(sent).toHaveLength(16);
    expect(stepped).toHaveLength(99);
  });

  test('by the reply, and by events of their own', async () => {
    expect(await asked()).toEqual({ reply: 'a drain', sent: ['b drain', 'c drain'], stepped: [] });
  });

  test('by another reply each time, so that no Machine is always the one whose event is lost', async () => {
    expect(await asked({ chance: 0.5 })).toEqual({
      reply: 'b drain',
      sent: ['c drain', 'a drain'],
      stepped: [],
    });
  });

  test('by nothing where there are none', async () => {
    const signal = AbortSignal.abort();
    const context = {
      requestId: 'r',
      log: silent,
      clock: standing,
      signal,
      readsReply: true,
      reserveCapacity: () => undefined,
      emit: refusing,
    };
    expect(await ask([], { step: nothing, random: () => 0 }, context)).toBeUndefined();
  });
});

describe('by a sender that does not say that it reads a reply', () => {
  test('the one in the reply is sent as well', async () => {
    expect(await asked({ readsReply: false })).toEqual({
      reply: 'a drain',
      sent: ['a drain', 'b drain', 'c drain'],
      stepped: [],
    });
  });

  test('all are taken here where the sink takes nothing', async () => {
    const { stepped } = await asked({ readsReply: false, emit: refusing });
    expect(stepped).toEqual(['a drain', 'b drain', 'c drain']);
  });
});

const hanging = (_event: OutEvent, signal?: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new NotDelivered('no answer')));
  });

test('where the sink hangs all but the reply are taken here, in the time of the request', async () => {
  const timers = manualClock();
  const asking = asked({ emit: hanging, clock: timers });
  await timers.advance(4_999);
  expect(timers.timers()).toBeGreaterThan(0);
  await timers.advance(1);
  expect((await asking).stepped).toEqual(['b drain', 'c drain']);
  expect(timers.timers()).toBe(0);
});

describe('where the sink takes nothing', () => {
  test('all but the reply are taken here', async () => {
    const { reply, stepped } = await asked({ emit: refusing });
    expect({ reply, stepped }).toEqual({ reply: 'a drain', stepped: ['b drain', 'c drain'] });
  });

  test('the steps that follow are, too', async () => {
    const { stepped } = await asked({ emit: refusing, step: fromDrain });
    expect(stepped.toSorted()).toEqual(['b drain', 'b infrastructure', 'c drain', 'c infrastructure']);
  });

  test('a deletion that never comes to rest is left alone after a while', async () => {
    expect((await asked({ emit: refusing, step: again })).stepped).toHaveLength(32);
  });

  test.each([
    ['looked at', new Unavailable('no answer')],
    ['read', new MachineUnreadable('no spec')],
    ['looked at by a mistake of ours', new TypeError('mistake')],
    ['looked at as its cluster has its share of the places', new TooManyRequests(3, 'blue')],
  ])('a Machine that cannot be %s does not keep the next from being', async (_what, error) => {
    const { stepped } = await asked({ emit: refusing, step: failingFor(error) });
    expect(stepped).toEqual(['b drain', 'c drain']);
  });

  test('no further step is taken when the time of the request is over', async () => {
    const time = new AbortController();
    const step = (command: Advance): Promise<OutEvent[]> => {
      time.abort();
      return again(command);
    };
    const { stepped } = await asked({ emit: refusing, step, signal: time.signal });
    expect(stepped.toSorted()).toEqual(['b drain']);
  });

  test.each([
    ['its cluster has its share of the places', new TooManyRequests(3, 'blue')],
    ['nobody could look', new Unavailable('no answer')],
    ['it makes no sense', new MachineUnreadable('no spec')],
  ])('a Machine at which nobody has looked because %s is no mistake of ours', async (_why, error) => {
    const said: string[] = [];
    const log: InstanceLog = {
      ...silent,
      warn: (message) => said.push(message),
      error: () => said.push('an error'),
    };
    await asked({ emit: refusing, step: failingFor(error), names: ['a', 'b'], log });
    expect(said).toContain('Machine could not be looked at');
    expect(said).not.toContain('an error');
  });

  test('a mistake of ours about a Machine is told as one', async () => {
    const errors: object[] = [];
    const log: InstanceLog = { ...silent, error: (message, fields) => errors.push({ message, ...fields }) };
    await asked({ emit: refusing, step: mistaken, names: ['a', 'b'], log });
    const error = new TypeError('mistake');
    expect(errors).toEqual([
      { message: 'Machine could not be looked at', Machine: 'default/b', uid: 'uid-b', error },
    ]);
  });
});

test('nothing is begun here when the time of the request is over', async () => {
  await expect(asked({ emit: refusing, signal: AbortSignal.abort() })).rejects.toThrow('the sink is down');
});
