import { describe, expect, test } from 'vitest';
import { HurriedClock } from '../../../infra/local/platform/fast-clock.ts';
import { Readers } from '../../../infra/page/look/readers.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

function aPage() {
  const clock = new HurriedClock(start);
  const events: string[] = [];
  const seconds = () => (clock.now() - start) / 1_000;
  const readers = new Readers<string>({
    clock,
    begin: () => events.push(`${seconds()} begins`),
    end: () => events.push(`${seconds()} ends`),
  });
  const look = (name: string) => async () => {
    events.push(`${seconds()} ${name}`);
    return name;
  };
  const pass = (until: number) => clock.passUntil(start + until * 1_000, () => false);
  return { readers, events, look, pass };
}

describe('those who read a page', () => {
  test('share one look at a view, and it is repeated every five seconds', async () => {
    const { readers, events, look, pass } = aPage();
    const heard: string[] = [];
    readers.read('a', look('a'), () => heard.push('first'));
    readers.read('a', look('a'), () => heard.push('second'));
    await pass(6);
    expect(events).toEqual(['0 begins', '0 a', '5 a']);
    expect(heard).toEqual(['first', 'second', 'first', 'second']);
  });

  test('have one look a second, however many views they read', async () => {
    const { readers, events, look, pass } = aPage();
    for (const view of ['a', 'b', 'c']) readers.read(view, look(view), () => undefined);
    await pass(4);
    expect(events).toEqual(['0 begins', '0 a', '1 b', '2 c']);
  });

  test('see a change within a second', async () => {
    const { readers, events, look, pass } = aPage();
    readers.read('a', look('a'), () => undefined);
    await pass(0.5);
    readers.changed((view) => view === 'a');
    readers.changed((view) => view === 'a');
    await pass(4);
    expect(events).toEqual(['0 begins', '0 a', '1 a']);
  });

  test('of a view that changes all the time keep no other view waiting for long', async () => {
    const { readers, events, look, pass } = aPage();
    const changing = async () => {
      readers.changed((view) => view === 'a');
      return look('a')();
    };
    readers.read('a', changing, () => undefined);
    readers.read('b', look('b'), () => undefined);
    await pass(7);
    expect(events.filter((event) => event.endsWith('b'))).toEqual(['1 b', '7 b']);
  });

  test('who come late see at once what was found last', async () => {
    const { readers, look, pass } = aPage();
    readers.read('a', look('a'), () => undefined);
    await pass(1);
    const heard: string[] = [];
    readers.read('a', look('a'), (found) => heard.push(found));
    expect(heard).toEqual(['a']);
  });

  test('end all looks when the last one goes', async () => {
    const { readers, events, look, pass } = aPage();
    const leave = [
      readers.read('a', look('a'), () => undefined),
      readers.read('b', look('b'), () => undefined),
    ];
    await pass(2);
    for (const each of leave) each();
    await pass(60);
    expect(events).toEqual(['0 begins', '0 a', '1 b', '1 ends']);
  });
});
