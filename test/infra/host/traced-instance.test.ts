import { expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { OutEvent } from '../../../events/types.ts';
import { createInstance } from '../../../infra/host/instance.ts';
import { createApp } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { NotDelivered } from '../../../shared/http/failures.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { recordedTracing } from '../../builders/observed.ts';
import { aWorld } from '../../builders/world.ts';
import { manualClock } from '../../shared/adapters/kubernetes/manual-clock.ts';
import { logLines } from '../../shared/http/log-lines.ts';
import { command, optionsOf } from './idle-instance.ts';

const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const traced: Advance = { ...command, trace };

const failing = (error: Error) => async (): Promise<never> => {
  throw error;
};

test.each([
  ['a sink that is down is a warning', new NotDelivered('down'), 'warn'],
  ['a mistake of ours is an error', new TypeError('mistake'), 'error'],
])('a wake-up without a step: %s', async (_what, error, level) => {
  const clock = manualClock();
  const { lines, log } = logLines();
  const { environment } = createInstance(
    optionsOf({
      clock,
      log,
      config: readConfig({ NODE_NAME: 'node-1' }),
      outbox: { send: failing(error), publish: () => undefined },
    }),
  );
  environment.wakeUps.keep(traced, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  expect(lines.at(-1)).toMatchObject({ level, msg: 'Wake-up ended without a step', Machine: 'fleet/m-1' });
});

test('a wake-up goes on with the trace of the step that waited, and so does what it sends', async () => {
  const clock = manualClock();
  const sent: OutEvent[] = [];
  const { tracing, spans } = recordedTracing(trace);
  const { lines, log } = logLines();
  const { environment } = createInstance(
    optionsOf({
      clock,
      log,
      tracing,
      config: readConfig({ NODE_NAME: 'node-1' }),
      outbox: { send: async (event) => void sent.push(event), publish: () => undefined },
    }),
  );
  environment.wakeUps.keep(traced, [{ kind: 'time', at: clock.now() + 1_000 }], undefined);
  await clock.advance(1_000);
  expect(spans).toMatchObject([
    {
      name: 'wake-up',
      parent: trace,
      attributes: {
        'phaseout.machine.name': 'm-1',
        'phaseout.machine.uid': 'uid-1',
        'phaseout.phase': 'drain',
      },
    },
  ]);
  expect(sent).toMatchObject([{ type: 'dev.phaseout.deletion.advance.v1', ...trace }]);
  expect(lines).toMatchObject([
    { msg: 'Wake-up is left to the broker', trace: '0af7651916cd43dd8448eb211c80319c' },
  ]);
});

test('the facts of a step belong to its trace', async () => {
  const told: OutEvent[] = [];
  const { management, workload, env } = aWorld();
  const { clock } = env;
  const { tracing } = recordedTracing(trace);
  const { log } = logLines();
  const { handlers } = createInstance(
    optionsOf({
      management,
      workloads: { of: async () => workload },
      clock,
      log,
      tracing,
      outbox: { send: async () => undefined, publish: (fact) => void told.push(fact) },
    }),
  );
  const byPath = Object.fromEntries(Object.entries(handlers).map(([name, each]) => [`/${name}`, each]));
  const app = createApp(byPath, { clock, log, requestTimeoutSeconds: 5 });
  const machine = { ...command.machine, namespace: 'default' };
  const { headers, body } = toBinary(advance({ machine, phase: 'drain', seq: 0 }, clock.now()));
  const readBody = async () => new TextEncoder().encode(body);
  await app({ method: 'POST', path: '/drain', headers, readBody });
  expect(told.map(({ type }) => type)).toEqual([
    'dev.phaseout.deletion.started.v1',
    'dev.phaseout.deletion.advanced.v1',
    'dev.phaseout.deletion.advanced.v1',
    'dev.phaseout.deletion.blocked.v1',
  ]);
  expect(new Set(told.map(({ traceparent }) => traceparent))).toEqual(new Set([trace.traceparent]));
});
