import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, type TestContext, test } from 'vitest';
import * as z from 'zod';
import { anApiDoor, running } from './running.ts';

const recording = z.object({ headers: z.array(z.tuple([z.string(), z.string()])), bodyRaw: z.string() });
type Recording = z.infer<typeof recording>;

const folder = new URL('../../golden/knative/', import.meta.url);
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);
const read = (name: string): Recording =>
  recording.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));

/** Header for header, as they were written on the wire. Answers in a line, and with the body. */
async function sent(url: string, { headers, bodyRaw }: Recording): Promise<[string, string]> {
  const written = Object.fromEntries(headers.filter(([name]) => name !== 'Host'));
  const outgoing = request(url, { method: 'POST', headers: written, agent: false }).end(bodyRaw);
  const { promise, resolve, reject } = Promise.withResolvers<[string, string]>();
  outgoing.on('error', reject).on('response', (incoming) => {
    const { 'ce-type': type, 'ce-phase': phase } = incoming.headers;
    const said = [incoming.statusCode, type, phase].filter((part) => part !== undefined).join(' ');
    text(incoming).then((body) => resolve([said, body]), reject);
  });
  return promise;
}

/** Where an event is taken to: dead letters to their function, ticks to the sweep, everything else to the intake. */
function functionFor(name: string): string {
  if (name.startsWith('broker/dead-letter')) return 'dead-letter';
  return name.startsWith('pingsource/') ? 'sweep' : 'intake';
}

const begins = '200 dev.phaseout.deletion.advance.v1 drain';

/** Only Machines that are being deleted lead to anything. A final answer has a reason, and a 2xx has none. */
const expected: Record<string, string> = {
  'apiserversource/reference/add.json': '400',
  'apiserversource/reference/delete.json': '400',
  'apiserversource/reference/update.json': '400',
  'apiserversource/resource/add.json': '204',
  'apiserversource/resource/delete-final-after-finalizer-removed.json': '204',
  'apiserversource/resource/delete-no-finalizer.json': '204',
  'apiserversource/resource/update-deletionTimestamp-set.json': begins,
  'apiserversource/resource/update-metadata.json': '204',
  'apiserversource/resource/update-status.json': '204',
  // A Machine without a cluster, which Cluster API does not allow.
  'apiserversource/selector/add.json': '400',
  'apiserversource/selector/false-delete-object-left-label-selector.json': '204',
  'apiserversource/v1beta1-allns-owner-ceoverrides/add.json': '204',
  'apiserversource/v1beta1-allns-owner-ceoverrides/update-deletionTimestamp-set.json': begins,
  'broker/dead-letter-after-200-with-non-ce-body.json': '204',
  'broker/dead-letter-after-503.json': '204',
  'broker/dead-letter-after-connection-reset.json': '204',
  'broker/dead-letter-after-invalid-reply-event.json': '204',
  // Events of tests, which no Trigger of ours would select.
  'broker/delivered-structured-format-json.json': '400',
  'broker/delivered-to-subscriber.json': '400',
  'broker/machine-deleted-as-seen-by-trigger-subscriber.json': '204',
  'broker/machine-deletionTimestamp-set-as-seen-by-trigger-subscriber.json': begins,
  'broker/reply-event-redelivered.json': '400',
  // Their data are another author's.
  'pingsource/minute-tick.json': '400',
  'pingsource/seconds-tick-with-ceoverrides.json': '400',
};

/** The functions' URL; there are no Machines, and there is no store. */
async function serving(context: TestContext): Promise<string> {
  const { kubeconfig } = await anApiDoor(context);
  const env = { KUBECONFIG: kubeconfig, PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' };
  return running(context, { env: { ...env, PHASEOUT_MACHINE_APIS: 'capi' } }).url();
}

test('what Knative really sends is answered as Knative understands it', async (context) => {
  const base = await serving(context);
  const answers: Record<string, string> = {};
  const wordy: string[] = [];
  for (const name of names) {
    const [said, body] = await sent(`${base}/${functionFor(name)}`, read(name));
    answers[name] = said;
    if (said.startsWith('2') && said !== begins && body !== '') wordy.push(name);
  }
  expect(answers).toEqual(expected);
  expect(wordy).toEqual([]);
});
