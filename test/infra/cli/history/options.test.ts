import { expect, test } from 'vitest';
import { readHistoryOptions } from '../../../../infra/cli/history/options.ts';
import { UsageError } from '../../../../infra/terminal/usage-error.ts';

const now = Date.UTC(2026, 10, 27, 12);
const uid = '11111111-1111-4111-8111-111111111111';

test.each<[string[], string]>([
  [[], 'history needs the NAMESPACE/NAME or UID of a Machine, --node, --pod or --since'],
  [
    ['worker-1'],
    'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, or by its UID, not "worker-1"',
  ],
  [['a/b/c'], 'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "a/b/c"'],
  [['a/b', 'c/d'], 'unexpected argument "c/d"'],
  [['a/b', '--node', 'n'], 'a Machine, --node and --pod exclude each other'],
  [['--pod', 'a/b', '--node', 'n'], 'a Machine, --node and --pod exclude each other'],
  [['--pod', 'web-1'], '--pod takes the NAMESPACE/NAME of a Pod, not "web-1"'],
  [['--pod', 'shop/web/1'], '--pod takes the NAMESPACE/NAME of a Pod, not "shop/web/1"'],
  [['a/b', '-n', 'c'], '--namespace says c, and a/b is of the namespace a'],
  [['--pod', 'a/b', '-n', 'c'], '--namespace says c, and a/b is of the namespace a'],
  [['--node', 'n', '-n', 'c'], '--namespace is of a Machine or a Pod that is named'],
  [['a', '--namespace='], '--namespace takes the name of a namespace'],
  [['--node', ''], '--node takes a name'],
  [['a/b', '--table', ''], '--table takes a name'],
  [['a/b', '--region', ''], '--region takes a name'],
  [['--since', 'yesterday'], '--since takes a time such as 30m, 2h or 3d, not "yesterday"'],
  [['--since', '2'], '--since takes a time such as 30m, 2h or 3d, not "2"'],
  [['--since', ''], '--since takes a time such as 30m, 2h or 3d, not ""'],
  [['--since', '2h later'], '--since takes a time such as 30m, 2h or 3d, not "2h later"'],
  [['a/b', '--endpoint', 'localhost:8000'], '--endpoint takes the URL of a store, not "localhost:8000"'],
  [['a/b', '-o', 'wide'], '--output takes one of json, yaml, not "wide"'],
])('%j is refused', (args, message) => {
  expect(() => readHistoryOptions(args, now)).toThrow(new UsageError(message));
});

test.each([
  [['fleet/a'], { clue: { kind: 'name', namespace: 'fleet', name: 'a' } }],
  [['capi:fleet/a'], { clue: { kind: 'name', namespace: 'fleet', name: 'a' }, group: 'cluster.x-k8s.io' }],
  [[uid], { clue: { kind: 'uid', uid } }],
  [['a', '-n', 'fleet'], { clue: { kind: 'name', namespace: 'fleet', name: 'a' } }],
  [
    ['-n', 'fleet', 'capi:a'],
    { clue: { kind: 'name', namespace: 'fleet', name: 'a' }, group: 'cluster.x-k8s.io' },
  ],
  [['--pod', 'web', '-n', 'shop'], { clue: { kind: 'pod', namespace: 'shop', name: 'web' } }],
  [['--load', 'dump', 'fleet/a'], { clue: { kind: 'name', namespace: 'fleet', name: 'a' } }],
  [['fleet/a', '--load', 'dump'], { clue: { kind: 'name', namespace: 'fleet', name: 'a' } }],
  [['--load', 'a', 'b', '--node', 'n'], { clue: { kind: 'node', node: 'n' } }],
  [['--since', '2h', 'fleet/a', '-o', 'json'], { clue: { kind: 'name', namespace: 'fleet', name: 'a' } }],
  [['--node', 'n'], { clue: { kind: 'node', node: 'n' } }],
  [['--pod', 'shop/web'], { clue: { kind: 'pod', namespace: 'shop', name: 'web' } }],
  [['--since', '2h'], { clue: { kind: 'since', at: now - 7_200_000 } }],
  [['--since', '1d2h3m4s'], { clue: { kind: 'since', at: now - 93_784_000 } }],
])('%j asks for that', (args, wanted) => {
  expect(readHistoryOptions(args, now).wanted).toEqual(wanted);
});
