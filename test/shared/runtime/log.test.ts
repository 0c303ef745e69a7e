import { expect, test } from 'vitest';
import { createLog, type LogForm, type LogLevel, silent } from '../../../shared/runtime/log.ts';

const time = Date.UTC(2026, 10, 20, 10, 35, 41, 250);

function logged(form: LogForm, level: LogLevel = 'info', isTTY = false) {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text), isTTY };
  return { log: createLog({ stream, clock: { now: () => time }, level, form }), lines };
}

test('a line is one JSON object: time, level, constant message, fields', () => {
  const { log, lines } = logged('json');
  log.info('phase passed', { machine: 'worker-7', message: 'no Pod is left', missing: undefined });
  expect(lines).toEqual([
    '{"time":"2026-11-20T10:35:41.250Z","level":"info","msg":"phase passed","machine":"worker-7","message":"no Pod is left"}\n',
  ]);
});

test('fields cannot take the place of time, level and message', () => {
  const { log, lines } = logged('json');
  log.warn('real', { msg: 'false', level: 'none', time: 0 });
  expect(JSON.parse(lines[0]!)).toEqual({ time: '2026-11-20T10:35:41.250Z', level: 'warn', msg: 'real' });
});

test('what is below the level is not said', () => {
  const { log, lines } = logged('text', 'warn');
  log.debug('a');
  log.info('b');
  log.warn('c');
  log.error('d');
  expect(lines).toEqual(['10:35:41.250 WARN  c\n', '10:35:41.250 ERROR d\n']);
});

test('a child adds its fields to every line', () => {
  const { log, lines } = logged('text');
  log.child({ machine: 'worker-7' }).child({ phase: 'drain' }).info('waits', { pods: 2, why: 'a budget' });
  expect(lines).toEqual(['10:35:41.250 INFO  waits machine=worker-7 phase=drain pods=2 why="a budget"\n']);
});

test('colour is for terminals', () => {
  const { log, lines } = logged('text', 'info', true);
  log.error('down');
  expect(lines).toEqual(['10:35:41.250 \u001B[31mERROR\u001B[39m down\n']);
});

test('an error is told with its cause', () => {
  const { log, lines } = logged('json');
  log.error('failed', { error: new Error('no answer', { cause: new Error('refused') }) });
  const { error } = JSON.parse(lines[0]!);
  expect(error).toMatchObject({ name: 'Error', message: 'no answer', cause: { message: 'refused' } });
  expect(error.stack).toContain('log.test.ts');
});

test('an error without a cause is told without one', () => {
  const { log, lines } = logged('json');
  log.error('failed', { error: new Error('no answer') });
  expect(Object.keys(JSON.parse(lines[0]!).error)).toEqual(['name', 'message', 'stack']);
});

test.each<[string, object, string]>([
  ['an error', { why: new TypeError('no "answer"') }, ' why="TypeError: no \\"answer\\""'],
  ['nothing', { why: undefined }, ''],
  ['a text that could be taken for two', { why: 'a=b' }, ' why="a=b"'],
  [
    'what has fields, on one line',
    { why: { a: { b: { c: { d: 1 } } } } },
    ' why={ a: { b: { c: { d: 1 } } } }',
  ],
  [
    'what has more of them than people read',
    { why: { a: { b: { c: { d: { e: 1 } } } } } },
    ' why={ a: { b: { c: { d: [Object] } } } }',
  ],
  [
    'a list, on one line',
    { why: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `worker-${number}`) },
    " why=[ 'worker-1', 'worker-2', 'worker-3', 'worker-4', 'worker-5', 'worker-6', 'worker-7', 'worker-8' ]",
  ],
])('in text for people %s is told as a field', (_what, fields, text) => {
  const { log, lines } = logged('text');
  log.info('said', fields);
  expect(lines).toEqual([`10:35:41.250 INFO  said${text}\n`]);
});

test('what is no JSON is told all the same', () => {
  const { log, lines } = logged('json');
  const circle: { self?: object; count: bigint } = { count: 1n };
  log.info('big', circle);
  circle.self = circle;
  log.info('round', circle);
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'big', count: '1' });
  expect(JSON.parse(lines[1]!)).toMatchObject({ msg: 'round', fields: expect.stringContaining('Circular') });
});

test('a complaint is made once, however many children ask', () => {
  const { log, lines } = logged('text');
  log.once('store').warn('the store is down');
  log.child({ phase: 'drain' }).once('store').warn('the store is down');
  log.once('sink').warn('the sink is down');
  expect(lines).toEqual(['10:35:41.250 WARN  the store is down\n', '10:35:41.250 WARN  the sink is down\n']);
});

test('memory for complaints has an end; after it they repeat', () => {
  const { log, lines } = logged('text');
  for (let key = 0; key < 1_001; key += 1) log.once(`${key}`).debug('fills the memory');
  log.once('0').info('known');
  log.once('1000').info('forgotten');
  log.once('1000').info('forgotten');
  expect(lines).toEqual(['10:35:41.250 INFO  forgotten\n', '10:35:41.250 INFO  forgotten\n']);
});

test('the silent log takes everything and says nothing', () => {
  expect(silent.child({ a: 1 }).once('b')).toBe(silent);
});
