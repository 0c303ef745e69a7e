import { expect, test } from 'vitest';
import type { CloudEvent } from '../../../events/envelope.ts';
import { handlersOf } from '../../../infra/host/handlers.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { type Serving, serve } from '../../../shared/http/serve.ts';
import { aWorld } from '../../builders/world.ts';
import { examples } from '../../events/examples.ts';
import { logLines } from '../../shared/http/log-lines.ts';
import { at, text } from '../knative/at.ts';
import { ofKind, renderedForAll } from '../knative/rendered.ts';

/** The path at which each installed Trigger has its dead letters taken, by its name. */
const sinks = new Map(
  ofKind(renderedForAll(), 'eventing.knative.dev/v1/Trigger').map(({ metadata, ...trigger }) => [
    metadata.name,
    text(at(trigger, 'spec', 'delivery', 'deadLetterSink', 'uri')),
  ]),
);

const foreign: CloudEvent = { specversion: '1.0', id: '1', source: 's', type: 'com.example.thing' };
const events = [...Object.values(examples), foreign];

/** The types of those events that a Trigger's dead letters report, sent as the Broker sends them. */
async function reported(trigger: string, extensions: object = {}) {
  const { env } = aWorld();
  const { log, lines } = logLines();
  const handler = handlersOf(env, async () => [])['dead-letter']!;
  const serving: Serving = await serve(
    { '/dead-letter': handler },
    { clock: env.clock, log, requestTimeoutSeconds: 5, port: 0, host: '127.0.0.1' },
  );
  const types: string[] = [];
  for (const event of events) {
    const { headers, body } = toBinary({ ...event, ...extensions });
    const before = lines.length;
    const answer = await fetch(`${serving.url}${sinks.get(trigger)}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(204);
    if (lines.length > before) types.push(event.type);
  }
  await serving.close();
  return { types, said: [...new Set(lines.map(({ msg }) => msg))] };
}

const change = (...names: string[]) => names.map((name) => `dev.knative.apiserver.resource.${name}`);
const advance = 'dev.phaseout.deletion.advance.v1';
const ping = 'dev.knative.sources.ping';

/** The examples: a Machine of Cluster API, a command of the phase drain, and a tick of the quick PingSource. */
test.each<[string, string[]]>([
  ['sweep-due', [ping]],
  ['sweep-all', []],
  ['drain', [advance]],
  ['node', []],
  ['intake-cluster-api', change('add', 'update', 'delete')],
  ['intake-openshift', []],
])(
  'while the filter of the Broker restarts, of all events only those that Trigger %s asks for are reported: %j',
  async (trigger, types) => {
    const said = types.length === 0 ? [] : ['Event was given up'];
    expect(await reported(trigger)).toEqual({ types, said });
  },
);

test('what a function did not take is reported, whatever else its Trigger gives up', async () => {
  const refused = {
    knativeerrordest: 'http://phaseout.phaseout.svc.cluster.local/drain',
    knativeerrorcode: '503',
  };
  expect(await reported('drain', refused)).toEqual({ types: [advance], said: ['Event was given up'] });
});
