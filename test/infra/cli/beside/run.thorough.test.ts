import { expect, it } from 'vitest';
import { parsed, phaseout } from '../outside.ts';

it("drains beside Cluster API's own controller, hands over, and says what that would have taken alone", async () => {
  const { code, lines, stderr } = await phaseout('run', '--mode', 'beside');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const phases = lines.flatMap((line) => /worker-1 phase=(\S+) (?:began|after)/.exec(line)?.[1] ?? []);
  expect(phases.slice(0, 6)).toEqual([
    'pre-drain',
    'drain',
    'volume-detach',
    'hand-over',
    'pre-terminate',
    'infrastructure',
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^fleet\/worker-1 is gone after /));
  expect(lines.at(-2)).toMatch(/^Cluster API's controller alone, without phaseout \(simulated, /);
  expect(lines.at(-1)).toMatch(/^ {2}fleet\/worker-1 is gone after 4\d\.\d s, 2 waits of 20 s$/);
});

it('is told as JSON', async () => {
  const { code, lines } = await phaseout('run', '--mode', 'beside', '-o', 'json');
  expect(code).toBe(0);
  expect(parsed<object>(lines.at(-1) ?? '')).toMatchObject({
    event: 'peer-alone',
    simulated: true,
    machines: [{ machine: 'fleet/worker-1', passes: 2 }],
  });
});

it.each(['capi', 'v1alpha1'])('only watches what the own controller of %s does', async (example) => {
  const { code, lines, stderr } = await phaseout('run', '--mode', 'observe', '--example', example);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(lines).toContainEqual(expect.stringMatching(/worker-1 is gone after /));
  expect(lines.at(-1)).toMatch(/^\d+ requests to the API server: \d+ get, \d+ list, 1 watch, 1 delete$/);
});
