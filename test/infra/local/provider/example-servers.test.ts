import { expect, onTestFinished, test } from 'vitest';
import { startLocalApi } from '../../../../infra/local/apis/local-api.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { makeExampleServers } from '../../../../infra/local/provider/example-servers.ts';
import type { ActuatorAnswer } from '../../../../shared/actuator/port.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { createLog } from '../../../../shared/runtime/log.ts';
import { anActuator } from '../../../builders/actuator.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const done: ActuatorAnswer = { kind: 'done', report: { providerID: 'theirs:///worker-1' } };
const retry = (afterSeconds: number): ActuatorAnswer => ({ kind: 'retry', afterSeconds, message: 'quota' });

/** The server of one Machine of an example, made by a provider that answers so; the last answer stands. */
async function aProvider(...answers: (ActuatorAnswer | Unavailable)[]) {
  const clock = new VirtualClock(0);
  const api = await startLocalApi({ manifests: await readExample('openshift'), clock, random: () => 0.5 });
  onTestFinished(() => api.close());
  const machine = () =>
    api.apiServer.cluster.get('machines.machine.openshift.io', 'openshift-machine-api', 'worker-1')!;
  const asked: number[] = [];
  const actuator = anActuator();
  actuator.create = async () => {
    asked.push(clock.now());
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? done;
    if (answer instanceof Unavailable) throw answer;
    return answer;
  };
  const written: string[] = [];
  const log = createLog({
    stream: { write: (text) => written.push(text) },
    clock,
    level: 'warn',
    form: 'text',
  });
  const made = makeExampleServers([machine()], { actuator, api, clock, log });
  return { made, clock, asked, written, machine };
}

test('a provider that asks for patience is asked again when it said', async () => {
  const { made, clock, asked, written, machine } = await aProvider(retry(5), retry(0), done);
  await clock.advance(10_000);
  await made;
  expect(asked).toEqual([0, 5_000, 6_000]);
  expect(machine()['spec']).toMatchObject({ providerID: 'theirs:///worker-1' });
  expect(written).toEqual([]);
});

test.each([
  ['again and again', 10, [0, 10_000, 20_000, 30_000]],
  ['for too long at once', 31, [0]],
])('a provider that asks for patience %s has made no server, which is said', async (_how, seconds, times) => {
  const { made, clock, asked, written, machine } = await aProvider(retry(seconds));
  await clock.advance(60_000);
  await made;
  expect(asked).toEqual(times);
  expect(machine()['spec']).toMatchObject({ providerID: expect.stringMatching(/^local:/) });
  expect(written.join('')).toMatch(/Provider made no server.*worker-1.*quota/);
});

test('a refusal is final', async () => {
  const { made, asked, written } = await aProvider({ kind: 'failed', reason: undefined, message: 'no' });
  await made;
  expect(asked).toEqual([0]);
  expect(written.join('')).toMatch(/Provider made no server.*worker-1.*no/);
});

test('a provider that cannot be asked is told by the variable that names it', async () => {
  const { made } = await aProvider(new Unavailable('POST http://provider/v1/create: connection refused'));
  await expect(made).rejects.toEqual(
    new Unavailable(
      'the provider of PHASEOUT_ACTUATOR_URL could not be asked: POST http://provider/v1/create: connection refused',
    ),
  );
});
