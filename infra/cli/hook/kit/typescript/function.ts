import { randomUUID } from 'node:crypto';
import { type Answer, type Call, work } from './work.ts';

/** A response of HTTP: the answer as a CloudEvent, or why there is none. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The Trigger gives up after 30 s. */
const patienceMilliseconds = 20_000;

const stillAtWork: Answer = { state: 'Working', message: 'still at work' };

/** What runs just now, by the token of its turn: a call that comes twice does not begin it twice. */
const running = new Map<string, Promise<Answer>>();

/** Answers a call of phaseout, a CloudEvent in binary mode. */
export async function reply(headers: Record<string, unknown>, body: string): Promise<Reply> {
  const call = callIn(headers, body);
  const token = headers['ce-answerto'];
  if (call === undefined || typeof token !== 'string')
    return { status: 400, headers: {}, body: 'not a call' };
  return {
    status: 200,
    headers: {
      'ce-specversion': '1.0',
      'ce-type': 'dev.phaseout.hook.answer.v1',
      'ce-source': '/my-hook',
      'ce-id': randomUUID(),
      // Without the token of the call no answer counts.
      'ce-answerto': token,
      'content-type': 'application/json',
    },
    body: JSON.stringify(await answerTo(call, token)),
  };
}

/** Undefined where the message is something else: an answer to it could let a wrong Machine pass. */
function callIn(headers: Record<string, unknown>, body: string): Call | undefined {
  if (headers['ce-type'] !== 'dev.phaseout.hook.call.v1') return undefined;
  try {
    const call: Call = JSON.parse(body);
    return typeof call.machine.uid === 'string' ? call : undefined;
  } catch {
    return undefined;
  }
}

/** Where the work takes longer than a call may, the next call gets its answer. */
async function answerTo(call: Call, token: string): Promise<Answer> {
  const one = running.get(token) ?? begin(call);
  running.set(token, one);
  const answer = await Promise.race([one, inTime()]);
  if (answer !== stillAtWork) running.delete(token);
  return answer;
}

/** An error holds the Machine, and its text is shown there. */
async function begin(call: Call): Promise<Answer> {
  try {
    return await work(call);
  } catch (error) {
    console.error(error);
    return { state: 'Failed', message: String(error).slice(0, 300) };
  }
}

const inTime = (): Promise<Answer> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(stillAtWork), patienceMilliseconds).unref();
  });
