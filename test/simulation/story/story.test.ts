import { describe, expect, it } from 'vitest';
import { createStory } from './story.ts';

describe('a story', () => {
  it('has a line for each thing that happened', () => {
    const story = createStory();
    story.begins(0);
    story.add(1_000, 'a user', 'deletes Machine fleet/worker-1');
    story.add(1_263, 'instance-1', 'cordons Node node-1 in blue');
    expect(story.text()).toBe(
      [
        '     1.000  a user                    deletes Machine fleet/worker-1\n',
        '     1.263  instance-1                cordons Node node-1 in blue\n',
      ].join(''),
    );
  });

  it('forgets what came before it began', () => {
    const story = createStory();
    story.add(-500, 'blue', 'Pod shop/a is gone');
    story.begins(0);
    expect(story.text()).toBe('');
  });

  it('sets the lines of a longer text below one another', () => {
    const story = createStory();
    story.add(0, 'Machine fleet/worker-1', 'DrainingNode: not yet:\n* Pod shop/a');
    expect(story.text()).toBe(
      [
        '     0.000  Machine fleet/worker-1    DrainingNode: not yet:\n',
        '                                      * Pod shop/a\n',
      ].join(''),
    );
  });

  it.each([
    { times: 2, lines: ['     0.000  API  503', '     1.000  API  503'] },
    { times: 4, lines: ['     0.000  API  503', '     3.000  API  the same, 4 times by now'] },
  ])('says what comes $times times in a row in two lines', ({ times, lines }) => {
    const story = createStory();
    for (let time = 0; time < times; time += 1) story.add(1_000 * time, 'API', '503');
    expect(story.text().replaceAll(/API +/g, 'API  ').trimEnd().split('\n')).toStrictEqual(lines);
  });
});
