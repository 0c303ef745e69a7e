import { describe, expect, test } from 'vitest';
import { freePort } from '../../page/free-port.ts';
import { type Answers, accepted, answersLater, good, says, sendLater } from './functions.ts';
import { laterMistakes } from './mistakes-later.ts';
import { tried } from './tried.ts';

/** Runs the command against a function that knows the Broker's address. */
async function triedLater(answers: (broker: string) => Answers) {
  const port = await freePort();
  const broker = `http://127.0.0.1:${port}/phaseout/phaseout`;
  return tried(answers(broker), '--broker', String(port));
}

describe('a function that sends its answers later', () => {
  test('keeps to the contract', async () => {
    const { code, failed, end } = await triedLater((broker) => answersLater(broker, good));
    expect({ code, failed, end }).toEqual({
      code: 0,
      failed: [],
      end: { conforms: true, passed: 16, failed: 0, skipped: 1 },
    });
  });

  test('may reply to some calls, and end with an answer that no call asked for', async () => {
    const { code, failed } = await triedLater((broker) => (heard) => {
      const reply = good(heard);
      if (reply?.status !== 200 || heard.timesOfUid > 1) return reply;
      const done = says(heard.token, { state: 'Done' });
      setTimeout(() => void sendLater(broker, done), 10);
      return reply;
    });
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
  });

  test('may send one answer for calls that overlap', async () => {
    const { code, failed } = await triedLater((broker) => {
      const underWay = new Set<string>();
      return (heard) => {
        const reply = good(heard);
        if (reply?.status !== 200) return reply;
        if (underWay.has(heard.token)) return accepted;
        underWay.add(heard.token);
        setTimeout(() => {
          underWay.delete(heard.token);
          void sendLater(broker, reply);
        }, 10);
        return accepted;
      };
    });
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
  });

  test('is not heard without --broker', async () => {
    const { code, failed } = await tried(answersLater('http://127.0.0.1:9', good));
    expect({ code, failed }).toMatchObject({ code: 1, failed: [{ check: 'a call is answered' }] });
  });
});

test('a function that only replies is noted', async () => {
  const { code, noted } = await triedLater(() => good);
  expect({ code, noted }).toMatchObject({
    code: 0,
    noted: [
      {
        check: 'each message is an answer to a call',
        note: 'nothing came to the Broker: all answers were replies',
      },
    ],
  });
});

test.each(laterMistakes)(
  'a function that %s does not keep to it',
  async (_what, answers, check, answered) => {
    const { code, failed } = await triedLater(answers);
    expect(code).toBe(1);
    const [found] = failed;
    expect(found).toMatchObject({ check });
    expect(found?.answered).toContain(answered);
  },
);
