import { describe, expect, it } from 'vitest';
import { createMeddlers } from './meddlers.ts';
import type { Exchange } from './wire/exchange.ts';

const asked: Exchange = {
  instance: 'instance-1',
  host: 'blue',
  method: 'GET',
  verb: 'list',
  resource: 'pods',
  namespace: '',
  name: '',
  path: '/api/v1/pods',
  query: {},
  body: undefined,
};

const never = (): never => {
  throw new Error('nobody is told of a mistake here');
};

describe('of several meddlers', () => {
  it('the first one that has something to say decides', () => {
    const meddlers = createMeddlers(never);
    meddlers.onRequest(() => undefined);
    meddlers.onRequest(() => 'refused');
    meddlers.onRequest(() => ({ lost: 'before' }));
    expect(meddlers.request(asked)).toBe('refused');
  });

  it('none decides once it was stopped, or all of them were', () => {
    const meddlers = createMeddlers(never);
    const stop = meddlers.onRequest(() => 'refused');
    meddlers.onRequest(() => ({ lost: 'after' }));
    stop();
    expect(meddlers.request(asked)).toEqual({ lost: 'after' });
    meddlers.clear();
    expect(meddlers.request(asked)).toBeUndefined();
  });

  it('one that is there for good decides where nobody else does, and goes on when all were stopped', () => {
    const meddlers = createMeddlers(never);
    meddlers.onRequestForGood(() => 'refused');
    meddlers.onRequest(() => ({ lost: 'after' }));
    expect(meddlers.request(asked)).toEqual({ lost: 'after' });
    meddlers.clear();
    expect(meddlers.request(asked)).toBe('refused');
  });

  it('one that fails decides nothing, and its mistake is told', () => {
    const mistakes: unknown[] = [];
    const meddlers = createMeddlers((error) => mistakes.push(error));
    const mistake = new Error('none to choose');
    meddlers.onRequest(() => {
      throw mistake;
    });
    meddlers.onRequest(() => 'refused');
    expect(meddlers.request(asked)).toBe('refused');
    expect(mistakes).toEqual([mistake]);
  });

  it('instances are kept away until all who keep them away have stopped', () => {
    const meddlers = createMeddlers(never);
    const [one, other] = [meddlers.keepInstancesAway(), meddlers.keepInstancesAway()];
    one();
    one();
    expect(meddlers.keepsInstancesAway()).toBe(true);
    other();
    expect(meddlers.keepsInstancesAway()).toBe(false);
  });
});
