import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { anOutside, parsed } from '../outside.ts';

interface Line {
  event: string;
  machine?: string;
  store?: string;
}

interface Answer {
  histories: {
    machine: { namespace: string; name: string };
    entries: { what: string; phase: string; node?: string }[];
    pods: { namespace: string; name: string }[];
  }[];
}

/** For what comes sooner or later: on a busy computer it is later. */
const longestMilliseconds = 60_000;

/** What is served until the test ends it, after the Machine is gone. */
async function served(args: readonly string[], machine: string) {
  const { outside, written, interrupt } = await anOutside();
  const running = main(['run', '--serve', ...args, '--delete', machine, '-o', 'json'], outside);
  const lines = (): Line[] =>
    written.stdout.split('\n').flatMap((line) => (line === '' ? [] : [parsed<Line>(line)]));
  const gone = (): string[] => lines().flatMap((line) => (line.event === 'done' ? [line.machine ?? ''] : []));
  await vi.waitFor(() => expect(gone()).toEqual([machine]), longestMilliseconds);
  const endpoint = lines().find(({ event }) => event === 'serving')?.store ?? '';
  return {
    history: async (...asked: string[]) => {
      const other = await anOutside({ clock: outside.clock });
      const code = await main(['history', ...asked, '--endpoint', endpoint, '-o', 'json'], other.outside);
      return { code, ...parsed<Answer>(other.written.stdout) };
    },
    end: async () => {
      interrupt();
      await running;
    },
  };
}

const namesIn = ({ histories }: Answer): string[] =>
  histories.map(({ machine: { namespace, name } }) => `${namespace}/${name}`);

test.each<[args: string[], machine: string, node: string]>([
  [['--example', 'capi'], 'fleet/worker-1', 'worker-1'],
  [['--example', 'openshift'], 'openshift-machine-api/worker-1', 'worker-1'],
  [['--example', 'v1alpha1'], 'machines/worker-1', 'worker-1'],
  [['--load', join(import.meta.dirname, '../field/35-daemonset')], 'prod/md-1', 'n1'],
])(
  'of a deletion with %j it is told from its beginning to its end while the run serves',
  async (args, machine, node) => {
    const { history, end } = await served(args, machine);
    const byName = await history(machine);
    expect({ code: byName.code, names: namesIn(byName) }).toEqual({ code: 0, names: [machine] });
    const [one] = byName.histories;
    expect(one?.entries.at(-1)).toMatchObject({ phase: 'finalize', what: 'completed' });
    for (const asked of [
      ['--node', node],
      ['--since', '1h'],
    ])
      expect(namesIn(await history(...asked))).toContain(machine);
    const pods = one?.pods ?? [];
    for (const pod of pods) {
      const { histories } = await history('--pod', `${pod.namespace}/${pod.name}`);
      expect(histories.map((each) => each.pods)).toEqual([[pod]]);
    }
    expect((await history('fleet/another')).code).toBe(1);
    await end();
  },
);
