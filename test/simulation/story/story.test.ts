import { describe, expect, it } from 'vitest';
import { createStory, type Story } from './story.ts';

const machine = { kind: 'Machine', name: 'fleet/worker-1' };

function linesOf(tell: (story: Story) => void): string[] {
  const story = createStory();
  tell(story);
  return story.text().trimEnd().split('\n');
}

describe('a story', () => {
  it('has a line for each thing that happened', () => {
    const lines = linesOf((story) => {
      story.begins(0);
      story.add(1_000, 'a user', 'deletes Machine fleet/worker-1');
      story.add(1_263, 'instance-1', 'cordons Node node-1 in blue');
    });
    expect(lines).toEqual([
      '     1.000  a user                      deletes Machine fleet/worker-1',
      '     1.263  instance-1                  cordons Node node-1 in blue',
    ]);
  });

  it('forgets what came before it began', () => {
    const lines = linesOf((story) => {
      story.add(-500, 'blue', 'Pod shop/a is gone');
      story.begins(0);
    });
    expect(lines).toEqual(['']);
  });

  it('sets the lines of a longer text below one another', () => {
    const lines = linesOf((story) => story.add(0, 'instance-1', 'not yet:\n* Pod shop/a'));
    expect(lines).toEqual([
      '     0.000  instance-1                  not yet:',
      '                                        * Pod shop/a',
    ]);
  });

  it.each([
    { times: 2, expected: ['     0.000  API  503', '     1.000  API  503'] },
    { times: 4, expected: ['     0.000  API  503', '     3.000  API  the same, 4 times by now'] },
  ])('says what comes $times times in a row in two lines', ({ times, expected }) => {
    const lines = linesOf((story) => {
      for (let time = 0; time < times; time += 1) story.add(1_000 * time, 'API', '503');
    });
    expect(lines.map((line) => line.replaceAll(/API +/g, 'API  '))).toEqual(expected);
  });
});

describe('what becomes of a Machine', () => {
  it('is told with the deed of the same moment that mentions it', () => {
    const lines = linesOf((story) => {
      story.add(5, 'instance-1', 'writes the status of Machine fleet/worker-1');
      story.leads(5, 'management', machine, 'Drainable True');
      story.leads(5, 'management', machine, 'Terminable True');
    });
    expect(lines).toEqual([
      '     0.005  instance-1                  writes the status of Machine fleet/worker-1: Drainable True',
      '                                        Terminable True',
    ]);
  });

  it.each([
    { about: 'of another Machine', at: 5, deed: 'writes the status of Machine fleet/worker-12' },
    { about: 'of an earlier moment', at: 4, deed: 'writes the status of Machine fleet/worker-1' },
  ])('is told by itself after a deed $about', ({ at, deed }) => {
    const lines = linesOf((story) => {
      story.add(at, 'instance-1', deed);
      story.leads(5, 'management', machine, 'gone');
    });
    expect(lines.at(-1)).toBe('     0.005  management                  Machine fleet/worker-1: gone');
    expect(lines).toHaveLength(2);
  });
});

describe('a fault', () => {
  it('is noted where somebody has said how it strikes', () => {
    const lines = linesOf((story) => {
      story.add(0, 'a user', 'pauses fleet/worker-1');
      story.strikes({ at: 0, fault: 'machine-paused', whom: 'during drain' }, true);
      story.leads(0, 'management', machine, 'Paused');
    });
    expect(lines).toEqual([
      '     0.000  a user                      pauses fleet/worker-1  [machine-paused during drain]: Paused',
    ]);
  });

  it('of which nobody says anything shares a line with those right after it', () => {
    const lines = linesOf((story) => {
      story.add(0, 'instance-1', 'cordons Node node-1');
      story.strikes({ at: 0, fault: 'timeout', whom: 'on instance-1' }, false);
      story.strikes({ at: 10, fault: 'forbidden', whom: 'on source-2' }, false);
      story.strikes({ at: 20, fault: 'timeout', whom: 'on source-7' }, false);
      story.add(30, 'instance-1', 'cordons Node node-1');
      story.strikes({ at: 30, fault: 'timeout', whom: 'on instance-1' }, false);
    });
    expect(lines).toEqual([
      '     0.000  instance-1                  cordons Node node-1',
      '     0.000  faults                      [timeout 2 times on instance-1, on source-7; forbidden on source-2] until 0.020',
      '     0.030  instance-1                  cordons Node node-1',
      '     0.030  faults                      [timeout on instance-1]',
    ]);
  });
});

it('of lines that say the same of somebody the last one stands for all', () => {
  const story = createStory();
  story.add(0, 'instance-1', 'evicts Pod shop/a: 429');
  story.add(1, 'instance-1', 'cordons Node n');
  story.add(2, 'instance-1', 'evicts Pod shop/a: 429');
  story.add(3, 'instance-2', 'evicts Pod shop/a: 429');
  story.add(4, 'instance-1', 'evicts Pod shop/a: 429');
  expect(story.about(['shop/a'], 5).trimEnd().split('\n')).toEqual([
    '     0.003  instance-2                  evicts Pod shop/a: 429',
    '     0.004  instance-1                  evicts Pod shop/a: 429 (3 times by then)',
  ]);
});

it('the last lines of a story that mention somebody can be told apart', () => {
  const story = createStory();
  story.add(0, 'a user', 'deletes the Machine fleet/worker-1');
  story.add(1, 'instance-1', 'evicts Pod shop/a, with 1 s to stop');
  story.add(2, 'instance-1', 'evicts Pod shop/a-2');
  story.add(3, 'instance-2', 'writes the status: Pods shop/b, shop/a: still there');
  expect(story.about(['fleet/worker-1', 'shop/a'], 2).trimEnd().split('\n')).toEqual([
    '     0.001  instance-1                  evicts Pod shop/a, with 1 s to stop',
    '     0.003  instance-2                  writes the status: Pods shop/b, shop/a: still there',
  ]);
});
