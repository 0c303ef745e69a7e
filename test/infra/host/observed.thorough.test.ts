import { describe, expect, test } from 'vitest';
import { aFailingCluster } from '../../endurance/stage/cluster.ts';
import { hostProcess, surroundings } from '../../endurance/stage/host.ts';
import { otlpReceiver } from './otlp-receiver.ts';

const worker = 'worker-3';

/** A command for the drain that says of no Machine. */
const poison = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': 'poison',
    'ce-source': '/test',
    'ce-type': 'dev.phaseout.deletion.advance.v1',
    'ce-phase': 'drain',
    'ce-partitionkey': 'poison',
  },
  body: '{}',
};

/** Names of the last things that are counted of a deletion: by then all else has been. */
const lastCounted = [
  'phaseout_events_sent_total{type="dev.phaseout.deletion.completed.v1",outcome="taken"}',
  'phaseout_deletions_completed_total{machine_api="cluster-api"}',
  'phaseout_dead_letters_total{type="dev.phaseout.deletion.advance.v1",code="400"}',
];

/** The values of the page by their series, once it has them all. */
async function metricsOf(url: string): Promise<Map<string, number>> {
  for (;;) {
    const page = await (await fetch(`${url}/metrics`)).text();
    const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const values = new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
    if (lastCounted.every((series) => values.has(series))) return values;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

describe('a process of the functions', () => {
  test('tells Prometheus and OpenTelemetry of a deletion, and of what the Broker gave up', async (context) => {
    const stage = await aFailingCluster(context);
    const collector = await otlpReceiver(context);
    const { env, activator } = await surroundings(context, stage);
    const functions = hostProcess(context, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const url = await functions.ready();
    activator.instance = url;
    stage.ask(worker);
    expect((await fetch(env['K_SINK'] ?? '', poison)).status).toBe(202);
    await stage.untilGone(worker);
    const metrics = await metricsOf(url);
    for (const series of lastCounted) expect([series, metrics.get(series)]).toEqual([series, 1]);
    const counted = [
      'phaseout_api_requests_total{cluster="management",verb="patch",resource="machines.cluster.x-k8s.io",code="200"}',
      'phaseout_api_requests_total{cluster="workload",verb="create",resource="pods/eviction",code="201"}',
      'phaseout_store_requests_total{operation="PutItem",outcome="answered"}',
      'phaseout_store_requests_total{operation="UpdateItem",outcome="condition-failed"}',
      'process_resident_memory_bytes',
    ];
    expect(counted.filter((series) => !((metrics.get(series) ?? 0) > 0))).toEqual([]);
    expect(functions.lines().filter(({ msg }) => msg === 'Event was given up')).toHaveLength(1);

    functions.process.kill('SIGTERM');
    expect(await functions.ended).toBe(0);
    const about = collector.spans.filter(({ attributes }) => attributes['phaseout.machine.name'] === worker);
    const [trace] = about.map(({ traceId }) => traceId);
    expect(about.filter(({ traceId }) => traceId !== trace)).toEqual([]);
    const names = collector.spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name);
    // What follows passes in the invocations that wake-ups begin.
    const hops = ['intake', 'drain'];
    const deeds = ['wake-up', 'look', 'cordon', 'evict', 'create pods/eviction', 'DynamoDB PutItem'];
    expect([...hops, ...deeds].filter((name) => !names.includes(name))).toEqual([]);
    const first = about.filter(({ parentSpanId = '' }) => parentSpanId === '');
    expect(first.map(({ name }) => name)).toEqual(['intake']);
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'phaseout' });
  });
});
