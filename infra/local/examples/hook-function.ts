import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CloudEvent } from '../../../events/envelope.ts';
import { hookAnswer } from '../../../events/hook-answer.ts';
import { parseEvent } from '../../../events/types.ts';
import { readCloudEvent, toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { HookAnswer } from '../../../shared/machine/hook-call.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { flatten } from '../eventing/http-binding.ts';
import { type Listening, serveLocally } from '../kubernetes/server/listen.ts';

/** The hook of hooks.yaml, as a Trigger names it. */
export const exampleHook = 'fleet/take-out-osd';

/** What it says of a Machine, one after the other; the last for ever. */
const says: readonly Pick<HookAnswer, 'state' | 'message'>[] = [
  { state: 'Working', message: 'moving 42 placement groups' },
  { state: 'Working', message: 'moving 12 placement groups' },
  { state: 'Done', message: 'no placement group is left' },
];

/** Serves the function of the example on 127.0.0.1. It moves nothing, and remembers Machines by their UIDs. */
export function serveExampleHook(clock: Pick<Clock, 'now'>): Promise<Listening> {
  const heard = new Map<string, Set<string>>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const reply = answerTo(readCloudEvent(flatten(request.headersDistinct), body));
    if (reply === undefined) return void response.writeHead(400).end();
    const { headers, body: text } = toBinary(reply);
    response.writeHead(200, headers).end(text);
  }

  function answerTo(event: CloudEvent): CloudEvent | undefined {
    const reading = parseEvent(event, ['dev.phaseout.hook.call.v1']);
    if (reading.kind === 'malformed') return undefined;
    const { id, answerto, data } = reading.event;
    const calls = heard.get(data.machine.uid) ?? new Set();
    // A call that comes twice is one.
    heard.set(data.machine.uid, calls.add(id));
    const said = says[Math.min(calls.size, says.length) - 1];
    return hookAnswer(
      { answerTo: answerto, state: 'Working', ...said },
      { id: `${id}/${calls.size}`, source: `/${exampleHook}`, time: clock.now() },
    );
  }

  return serveLocally(
    createServer((request, response) => {
      answer(request, response).catch(() => response.writeHead(400).end());
    }),
  );
}
