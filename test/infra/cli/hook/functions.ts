import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

/** What a function of the test answers; undefined where it never does. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request as a function of the test sees it. */
interface Heard {
  type: string;
  token: string;
  /** UID of the Machine; empty where none is named. */
  uid: string;
  data: Record<string, unknown>;
  /** How often this token was heard, and this UID, from 1. */
  timesOfToken: number;
  timesOfUid: number;
}

export type Answers = (heard: Heard) => Reply | undefined;

const named = z.object({ machine: z.object({ uid: z.string() }) });

/** An answer as the contract has it; fields of `data` are taken as they are, also wrong ones. */
export const says = (token: string, data: unknown, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: {
    'ce-specversion': '1.0',
    'ce-id': `${Math.random()}`,
    'ce-source': '/test',
    'ce-type': 'dev.phaseout.hook.answer.v1',
    'ce-answerto': token,
    'content-type': 'application/json',
    ...headers,
  },
  body: JSON.stringify(data),
});

export const refused: Reply = { status: 400, headers: {}, body: 'not a call' };

/** Keeps to the contract: works once for each Machine, then is done with it. */
export const good: Answers = ({ type, token, uid, timesOfUid }) => {
  if (type !== 'dev.phaseout.hook.call.v1' || uid === '') return refused;
  return says(token, timesOfUid === 1 ? { state: 'Working', message: 'on it' } : { state: 'Done' });
};

export const accepted: Reply = { status: 202, headers: {}, body: '' };

/** Posts messages to the Broker, one after the other. What cannot be posted is lost: the command may have ended. */
export async function sendLater(broker: string, ...messages: readonly Reply[]): Promise<void> {
  for (const { headers, body } of messages)
    await fetch(broker, { method: 'POST', headers, body }).catch(() => undefined);
}

/** Accepts each call, and sends its answer to the Broker. */
export const answersLater =
  (broker: string, answers: Answers): Answers =>
  (heard) => {
    const reply = answers(heard);
    if (reply === undefined || reply.status !== 200) return reply;
    void sendLater(broker, reply);
    return accepted;
  };

/** Serves a function on 127.0.0.1 until the test is over. Returns its URL. */
export async function serving(answers: Answers): Promise<string> {
  const times = new Map<string, number>();
  const count = (key: string): number => {
    const next = (times.get(key) ?? 0) + 1;
    times.set(key, next);
    return next;
  };
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const data = dataIn(Buffer.concat(await request.toArray()).toString());
    const uid = named.safeParse(data).data?.machine.uid ?? '';
    const token = String(request.headers['ce-answerto'] ?? '');
    const type = String(request.headers['ce-type'] ?? '');
    const counted = { timesOfToken: count(`token ${token}`), timesOfUid: count(`uid ${uid}`) };
    send(response, answers({ type, token, uid, data, ...counted }));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function dataIn(text: string): Record<string, unknown> {
  return text === '' ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

function send(response: ServerResponse, reply: Reply | undefined): void {
  if (reply !== undefined) response.writeHead(reply.status, reply.headers).end(reply.body);
}
