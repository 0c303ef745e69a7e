import { createVitest, type Vitest } from 'vitest/node';
import { type Channel, openChannel } from './channel.ts';
import type { Order, Reply } from './messages.ts';

/** A thread in which all tests are loaded. */
export interface TestThread {
  /** @throws Error what went wrong in the thread, or that it answered something else */
  ask<Kind extends Reply['kind']>(order: Order, kind: Kind): Promise<Extract<Reply, { kind: Kind }>>;
  close(): Promise<void>;
}

/** @throws Error with what kept a test file from being loaded */
export async function loadTests(): Promise<TestThread> {
  const vitest = await createVitest('test', {
    config: 'test/mutation/vitest.config.ts',
    watch: false,
    reporters: [{}],
    runner: 'test/mutation/switching/keep-loaded.ts',
  });
  const channel = openChannel<Order, Reply>();
  const loaded = channel.next();
  const running = runAll(vitest);
  await Promise.race([loaded, running.then(() => Promise.reject(notLoaded(vitest)))]);
  return {
    ask: (order, kind) => ask(channel, order, kind),
    close: async () => {
      channel.say({ kind: 'close' });
      await running;
      channel.close();
      await vitest.close();
    },
  };
}

async function runAll(vitest: Vitest): Promise<void> {
  const specifications = await vitest.globTestSpecifications();
  vitest.provide('testFiles', specifications.length);
  await vitest.runTestSpecifications(specifications);
}

async function ask<Kind extends Reply['kind']>(
  channel: Channel<Order, Reply>,
  order: Order,
  kind: Kind,
): Promise<Extract<Reply, { kind: Kind }>> {
  const answer = channel.next();
  channel.say(order);
  const reply = await answer;
  if (reply.kind === 'failed') throw new Error(reply.message);
  if (!isOfKind(reply, kind)) throw new Error(`${order.kind} was answered by ${reply.kind}`);
  return reply;
}

const isOfKind = <Kind extends Reply['kind']>(
  reply: Reply,
  kind: Kind,
): reply is Extract<Reply, { kind: Kind }> => reply.kind === kind;

function notLoaded({ state }: Vitest): Error {
  const errors = [
    ...state.getFiles().flatMap(({ result }) => result?.errors ?? []),
    ...state.getUnhandledErrors(),
  ];
  return new Error(`the tests could not be loaded: ${errors.map((error) => String(error)).join('; ')}`);
}
