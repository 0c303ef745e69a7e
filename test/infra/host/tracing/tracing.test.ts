import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const url = (path: string): string => new URL(`../../../../${path}`, import.meta.url).href;

/** Which packages of OpenTelemetry a process of its own loads to open its traces. */
async function loaded(env: Record<string, string>): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({
      load(url, context, next) {
        const [, name] = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url) ?? [];
        if (name !== undefined) seen.add(name);
        return next(url, context);
      },
    });
    const { openTracing } = await import('${url('infra/host/tracing/tracing.ts')}');
    const { silent } = await import('${url('shared/runtime/log.ts')}');
    const { systemClock: clock } = await import('${url('shared/time/clock.ts')}');
    const { close } = await openTracing({ env: process.env, clock, log: silent, hostname: 'pod-1' });
    await close();
    process.stdout.write(JSON.stringify([...seen].sort()));
  `;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

test('nothing of OpenTelemetry is loaded unless it is asked for', async () => {
  const asked = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const [off, disabled, on] = await Promise.all([
    loaded({}),
    loaded({ ...asked, OTEL_SDK_DISABLED: 'true' }),
    loaded(asked),
  ]);
  expect(off).toEqual([]);
  expect(disabled).toEqual([]);
  expect(on).toEqual(
    expect.arrayContaining(['@opentelemetry/api', '@opentelemetry/sdk-trace', '@opentelemetry/resources']),
  );
});
