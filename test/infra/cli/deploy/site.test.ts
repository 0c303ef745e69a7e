import { describe, expect, it } from 'vitest';
import { persistently, type Site } from '../../../../infra/cli/deploy/site.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';

/** A site for its clock, and for the question whether the user wants to wait. It refuses all else. */
function aSite() {
  const clock = manualClock();
  const user = new AbortController();
  const kubernetes: Site['kubernetes'] = new Proxy(Object.create(null), {});
  const site: Site = {
    kubernetes,
    service: 'phaseout',
    where: 'here',
    clock,
    interrupted: user.signal,
    tell: () => undefined,
    othersNode: async () => undefined,
  };
  return { site, clock, user };
}

/** Fails so, each time that it is asked. */
function failing(error: Error) {
  const asked = { times: 0 };
  const ask = async (): Promise<never> => {
    asked.times += 1;
    throw error;
  };
  return { asked, ask };
}

const noAnswer = new Unavailable('no answer');

describe('a cluster that could not answer', () => {
  it('is asked again after a second and three more, and then its failure stands', async () => {
    const { site, clock } = aSite();
    const { asked, ask } = failing(noAnswer);
    const outcome = persistently(site, ask).catch((error: unknown) => error);
    await clock.advance(999);
    expect(asked.times).toBe(1);
    await clock.advance(1);
    expect(asked.times).toBe(2);
    await clock.advance(2_999);
    expect(asked.times).toBe(2);
    await clock.advance(1);
    expect(await outcome).toBe(noAnswer);
    expect(asked.times).toBe(3);
  });

  it('is not asked again by who does not want to wait any more', async () => {
    const { site, clock, user } = aSite();
    const { asked, ask } = failing(noAnswer);
    user.abort();
    const outcome = persistently(site, ask).catch((error: unknown) => error);
    await clock.advance(4_000);
    expect(asked.times).toBe(1);
    expect(await outcome).toBe(noAnswer);
  });

  it('is not asked again because of a mistake of ours', async () => {
    const { site } = aSite();
    const { asked, ask } = failing(new TypeError('mistake'));
    await expect(persistently(site, ask)).rejects.toThrow(TypeError);
    expect(asked.times).toBe(1);
  });
});
