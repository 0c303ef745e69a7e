import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { eventSchemas } from '../../../events/types.ts';
import { folder } from './queries.ts';

const transformSchema = z.object({
  kind: z.literal('EventTransform'),
  spec: z.object({ jsonata: z.object({ expression: z.string() }) }),
});
const [transform, trigger] = parseAllDocuments(readFileSync(join(folder, 'chat.yaml'), 'utf8')).map(
  (each): unknown => each.toJS(),
);
const { expression } = transformSchema.parse(transform).spec.jsonata;
const samples = join(import.meta.dirname, '../../../events/samples');
const sample = (type: string): { data: Record<string, unknown> } =>
  z
    .looseObject({ data: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(samples, `${type}.json`), 'utf8')));

const messageOf = async (event: object): Promise<unknown> =>
  JSON.parse(JSON.stringify(await jsonata(expression).evaluate(event)));

describe('a message in a chat', () => {
  test.each([
    ['deletion.started', 'fleet/worker-7: its deletion has begun'],
    ['deletion.blocked', 'fleet/worker-7: waits in drain: Drain not completed yet'],
    [
      'deletion.failed',
      'fleet/worker-7: a step of node failed and is tried again: nodes "worker-7" is forbidden',
    ],
    ['deletion.completed', 'fleet/worker-7: is gone'],
    [
      'hook.waiting',
      'fleet/worker-7: waits for hooks before it goes on: pre-terminate.delete.hook.machine.cluster.x-k8s.io/wipe-disks',
    ],
    [
      'hook.late',
      'fleet/worker-7: its deletion began before the hook was on it: its own controller drains it',
    ],
    [
      'pod.refused',
      "fleet/worker-7: Pod shop/cart-5d9 stays for now, BudgetExhausted: Cannot evict pod as it would violate the pod's disruption budget.",
    ],
    ['deletion.advanced', 'fleet/worker-7: deletion.advanced'],
  ])('tells of %s', async (kind, text) => {
    expect(await messageOf(sample(`dev.phaseout.${kind}.v1`))).toEqual({ text });
  });

  test('is text and nothing else, whatever a cluster says', async () => {
    const event = sample('dev.phaseout.deletion.blocked.v1');
    const message = `<!channel> *all* [here](https://example.com) @team\n${'x'.repeat(400)}`;
    const told = await messageOf({ ...event, data: { ...event.data, message } });
    expect(told).toEqual({
      text: `fleet/worker-7: waits in drain:  !channel all here (https://example.com) team ${'x'.repeat(254)}`,
    });
  });

  test('is made of facts that there are: the Trigger selects no other type', () => {
    const types = [...JSON.stringify(trigger).matchAll(/dev\.phaseout\.[\w.]+/g)].map(([type]) => type);
    expect(types).toHaveLength(7);
    expect(types.filter((type) => !(type in eventSchemas))).toEqual([]);
    expect(types.filter((type) => !readdirSync(samples).includes(`${type}.json`))).toEqual([]);
  });
});
